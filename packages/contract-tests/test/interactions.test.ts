import { routeOf, tokenInteraction, withSecrets } from "@fleetwire/contract-tests/replay";
import { describe, expect, it } from "vitest";
import { loadFixtures, loadInterface } from "../src/index.ts";

const fixtures = loadFixtures();

describe("the route of a fixture", () => {
  const fixture = fixtures.find(({ operation }) => operation === "updateGroup");
  if (!fixture) throw new Error("no fixture updates a group");

  it("needs credentials in the request", () => {
    const without = { ...fixture, id: "mine", request: { ...fixture.request, headers: {} } };
    expect(() => routeOf(without, loadInterface())).toThrow("mine: the recorded request has no credentials");
  });
});

describe("the token request before a call", () => {
  it("grants the token of replays, with whatever else was recorded", () => {
    const granted = fixtures.filter(({ operation }) => operation === "requestAccessToken");
    const others = granted.map((one) => ({
      ...one,
      response: { ...one.response, body: { ...Object(one.response.body), accessToken: "old", expires_in: 7 } },
    }));
    expect(tokenInteraction(others, "any").response.body).toMatchObject({ accessToken: withSecrets("<ACCESS_TOKEN>"), expires_in: 7 });
  });

  it("needs a fixture that grants one", () => {
    expect(() => tokenInteraction([], "any")).toThrow("no fixture grants an access token");
  });
});
