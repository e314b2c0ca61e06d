// A program that asks five questions with types from the OpenAPI document: no cast, and no `any`.
import createClient from "openapi-fetch";
import type { paths } from "./api.js";

declare const process: { argv: string[] };

const api = createClient<paths>({ baseUrl: process.argv[2] ?? "" });

const rated = await api.GET("/api/v1/{system}/rate", {
  params: {
    path: { system: "fide-standard" },
    query: { rating: "1750", game: ["1950:win"], born: "2010", on: "2026-11-15" },
  },
});
if (rated.data === undefined) throw new Error(rated.error.error);
const change: string = rated.data.value.change;
const opponents: unknown[] = rated.data.value.per_game.map((game) => game.opponent);
const articles: string[] = rated.data.rules.map((rule) => rule.article);

const glicko = await api.GET("/api/v1/{system}/rate", {
  params: {
    path: { system: "glicko-2" },
    query: { rating: "1500", deviation: "200", game: ["1400/30:win", "1550/100:loss", "1700/300:loss"], on: "2026-11-15" },
  },
});
const answer = glicko.data?.value;
const deviation: number | undefined = answer?.kind === "GlickoChange" ? answer.new_deviation : undefined;

const needed = await api.POST("/api/v1/{system}/need", {
  params: { path: { system: "fide-standard" } },
  body: { expected: 0.75, against: [1700], on: "2026-11-15" },
});
if (needed.data === undefined) throw new Error(needed.error.error);

const match = await api.GET("/api/v1/match", { params: { query: { wins: "120", losses: "95", draws: "300" } } });
const games: number | undefined = match.data?.value.games;

const refused = await api.GET("/api/v1/{system}/rate", {
  params: { path: { system: "fide-standard" }, query: { rating: "10000", game: ["1950:win"] } },
});
const at: string | null | undefined = refused.error?.at;

const found = { change, opponents, articles: articles.length > 0, needed: needed.data.value, games, at, deviation };
console.log(JSON.stringify(found));
