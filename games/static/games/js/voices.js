// Every sound of the table, made as it is needed: paper is noise that a filter bends, wood a short
// low tone, metal a chord of uneven partials. Nothing is loaded, and no two cards sound the same.
// A voice takes a context, a node to play into and the time at which it begins.

const near = (value, by = 0.08) => value * (1 + (Math.random() * 2 - 1) * by);
const noises = new WeakMap();

function noise(context) {
  if (!noises.has(context)) {
    const made = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = made.getChannelData(0);
    for (let n = 0; n < data.length; n++) data[n] = Math.random() * 2 - 1;
    noises.set(context, made);
  }
  return noises.get(context);
}

function swell(context, out, at, { level, rise = 0.004, lasts }) {
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(level, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  gain.connect(out);
  return gain;
}

// Paper: noise through a band that moves from one pitch to another.
function paper(context, out, at, { from, to, lasts, level, rise, q = 0.9 }) {
  const source = new AudioBufferSourceNode(context, { buffer: noise(context), loop: true });
  const band = new BiquadFilterNode(context, { type: "bandpass", Q: q, frequency: near(from) });
  band.frequency.setValueAtTime(near(from), at);
  band.frequency.exponentialRampToValueAtTime(near(to), at + lasts);
  source.connect(band).connect(swell(context, out, at, { level, rise, lasts }));
  source.start(at, Math.random() * 0.5);
  source.stop(at + lasts);
}

// Wood: a tone that falls quickly.
function wood(context, out, at, { from, to, lasts, level, type = "sine" }) {
  const tone = new OscillatorNode(context, { type, frequency: from });
  tone.frequency.setValueAtTime(near(from, 0.05), at);
  tone.frequency.exponentialRampToValueAtTime(to, at + lasts);
  tone.connect(swell(context, out, at, { level, lasts }));
  tone.start(at);
  tone.stop(at + lasts);
}

// Metal: a bell.
function bell(context, out, at, pitch, { lasts = 0.7, level = 0.2 } = {}) {
  for (const [times, share] of [[1, 1], [2.01, 0.45], [2.76, 0.28], [5.4, 0.12]]) {
    const tone = new OscillatorNode(context, { frequency: pitch * times });
    tone.connect(swell(context, out, at, { level: level * share, lasts: lasts / Math.sqrt(times) }));
    tone.start(at);
    tone.stop(at + lasts);
  }
}

const bells = (context, out, at, pitches, step, how) => pitches.forEach((pitch, n) => bell(context, out, at + n * step, pitch, how));

const [C5, D5, E5, G5, A5, C6, E6, G6] = [523, 587, 659, 784, 880, 1047, 1319, 1568];

export const VOICES = {
  lay(context, out, at) {
    paper(context, out, at, { from: 3400, to: 1500, lasts: 0.07, level: 0.5 });
    wood(context, out, at + 0.012, { from: 190, to: 80, lasts: 0.09, level: 0.5 });
  },
  deal(context, out, at) {
    paper(context, out, at, { from: 5200, to: 2600, lasts: 0.06, level: 0.28 });
  },
  sweep(context, out, at) {
    paper(context, out, at, { from: 900, to: 3600, lasts: 0.32, level: 0.35, rise: 0.09, q: 0.7 });
    for (let n = 0; n < 4; n++) paper(context, out, at + 0.05 + n * near(0.05), { from: 4200, to: 2200, lasts: 0.04, level: 0.2 });
  },
  burst(context, out, at) {
    bells(context, out, at, [E5, G5, C6], 0.07);
    paper(context, out, at, { from: 2500, to: 9000, lasts: 0.4, level: 0.12, rise: 0.1 });
  },
  double(context, out, at) {
    bells(context, out, at, [C5, E5, G5, C6, E6, G6], 0.06, { lasts: 1 });
    bells(context, out, at + 0.42, [C6, E6, G6], 0, { lasts: 1, level: 0.12 });
    paper(context, out, at, { from: 2000, to: 9000, lasts: 0.7, level: 0.16, rise: 0.2 });
  },
  burn(context, out, at) {
    paper(context, out, at, { from: 320, to: 900, lasts: 0.9, level: 0.5, rise: 0.18, q: 0.5 });
    for (let n = 0; n < 14; n++) paper(context, out, at + 0.08 + Math.random() * 0.7, { from: 3800, to: 1800, lasts: 0.025, level: 0.4 });
  },
  bust(context, out, at) {
    wood(context, out, at, { from: 230, to: 62, lasts: 0.42, level: 0.4, type: "triangle" });
    wood(context, out, at + 0.1, { from: 110, to: 40, lasts: 0.35, level: 0.6 });
  },
  twenty(context, out, at) {
    bells(context, out, at, [A5, E6], 0.11, { lasts: 0.9 });
  },
  dispute(context, out, at) {
    for (const n of [0, 1, 2]) wood(context, out, at + n * 0.13, { from: 150 - n * 12, to: 55, lasts: 0.16, level: 0.65 });
    paper(context, out, at + 0.26, { from: 5200, to: 2400, lasts: 0.3, level: 0.2 });
  },
  turn(context, out, at) {
    bells(context, out, at, [G5, C6], 0.09, { lasts: 0.35, level: 0.14 });
  },
  tick(context, out, at) {
    wood(context, out, at, { from: 1500, to: 700, lasts: 0.035, level: 0.25 });
  },
  count(context, out, at) {
    bell(context, out, at, D5 * 2, { lasts: 0.16, level: 0.09 });
  },
  won(context, out, at) {
    bells(context, out, at, [C5, E5, G5, C6], 0.12, { lasts: 0.9 });
    bells(context, out, at + 0.5, [E5, G5, C6], 0, { lasts: 1.2, level: 0.13 });
  },
  lost(context, out, at) {
    bells(context, out, at, [E5 / 2, D5 / 2, C5 / 2], 0.2, { lasts: 0.8, level: 0.16 });
  },
};
