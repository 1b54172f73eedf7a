// Short tones, made here: a card is laid, something is called out. Silent unless chosen.

import { isLoud } from "./pace.js";

const TONES = { lay: [220, 0.05], gold: [660, 0.25], fire: [180, 0.35], red: [130, 0.4] };
let context = null;

export function sound(name) {
  const tone = TONES[name];
  if (!tone || !isLoud() || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const [pitch, seconds] = tone;
  const [source, gain] = [context.createOscillator(), context.createGain()];
  source.type = "triangle";
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(0.12, context.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, context.currentTime + seconds);
  source.connect(gain).connect(context.destination);
  source.start();
  source.stop(context.currentTime + seconds);
}
