// Ordinary calls, as a client author writes them: they compile with the types of the document.
// `make clients` generates ./api and compiles this file with --strict.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Match = components["schemas"]["Match"];
type Code = components["schemas"]["ProblemCode"];

const client = createClient<paths>({ baseUrl: "http://127.0.0.1:8000" });

export async function play(): Promise<Match | Code> {
  const guest = await client.POST("/api/v1/accounts/guest", { body: {} });
  const headers = { Authorization: `Token ${guest.data?.token}` };
  const seats = [{ kind: "me" as const }, { kind: "bot" as const, bot: "greedy" }];
  const made = await client.POST("/api/v1/matches", { headers, body: { game: "pisti", seats } });
  if (made.error) return made.error.code;

  const match: Match = made.data;
  const path = { match_id: match.id };
  if (match.game === "pisti") {
    const top: string | null | undefined = match.view?.top;
    const target: number | null = match.options.target_score;
    console.log(top, target);
  }
  const moved = await client.POST("/api/v1/matches/{match_id}/moves", {
    headers,
    params: { path, header: { "Idempotency-Key": "1" } },
    body: { move: match.legal_moves[0]!.move, version: match.version },
  });
  if (moved.error) console.log(moved.error.legal_moves?.[0]?.label, moved.error.match?.version);

  const told = await client.GET("/api/v1/matches/{match_id}/events", {
    headers,
    params: { path, query: { after: 3 } },
  });
  if (told.data?.game === "pisti")
    for (const event of told.data.events) {
      if (event.type === "card_played") console.log(event.card, event.by);
      if (event.type === "hand_dealt") console.log(event.cards?.length);
    }
  return moved.data ?? match;
}

export async function others(): Promise<void> {
  const seats = [{ kind: "me" as const }, { kind: "open" as const }];
  const options = { rounds_to_win: 1 };
  await client.POST("/api/v1/matches", { body: { game: "pazaak", options, seats } });
  await client.GET("/api/v1/matches", { params: { query: { mine: true } } });
  await client.POST("/api/v1/simulations", { body: { game: "pisti", games: 10 } });
  await client.PATCH("/api/v1/accounts/me", { body: { display_name: "Ada" } });
  await client.POST("/api/v1/decks", { body: { name: "Edge", cards: [] } });
  await client.POST("/api/v1/accounts/token", { body: { username: "ada", password: "…" } });
}
