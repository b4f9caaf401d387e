import { describe, expect, it, vi } from "vitest";
import { createConcurrencyLimit, noLimit } from "../../src/client/concurrency-limit.ts";
import { dropBody, openBody, readAll } from "../../src/client/response-body.ts";
import { createTransport, failureToError, type HttpRequest, sleep, watchDeadline } from "../../src/client/transport.ts";

const deadline = { timeout: 60_000 };
const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

function streamOf(chunks: string[], end: "closes" | "breaks" | "stays open" = "closes") {
  const cancelled = vi.fn();
  const rest = [...chunks];
  const stream = new ReadableStream({
    pull(controller): Promise<void> | undefined {
      const next = rest.shift();
      if (next !== undefined) controller.enqueue(new TextEncoder().encode(next));
      else if (end === "closes") controller.close();
      else if (end === "breaks") controller.error(new TypeError("terminated"));
      else return new Promise<void>(() => {});
      return undefined;
    },
    cancel: cancelled,
  });
  return { stream, cancelled };
}

const options = { maxResponseBytes: 5, responseBody: "whole", customFetch: true } as const;
const request: HttpRequest = { method: "POST", url: "https://x.example.com/a", headers: { accept: "json" }, body: "ü" };

/** Sends a request through a fetch that responds like this, and returns what it was called with. */
async function sendThrough(respond: (init: RequestInit) => Response | Promise<Response>, more: object = {}, sent = request) {
  const calls: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    calls.push({ url: String(url), init });
    return respond(init);
  };
  const end = await createTransport(fetch as typeof globalThis.fetch, { ...options, ...more })(sent, deadline);
  return { end, calls, init: calls[0]?.init as RequestInit };
}

describe("a request", () => {
  it("is sent once, as given, and follows no redirect", async () => {
    const { calls, init } = await sendThrough(() => new Response("x", { status: 500 }));
    expect(calls.map(({ url }) => url)).toEqual([request.url]);
    expect(init).toMatchObject({ method: "POST", redirect: "manual", body: "ü" });
    expect(Object.fromEntries(new Headers(init.headers))).toMatchObject({ accept: "json" });
  });

  it("that fails is not sent again", async () => {
    const calls: unknown[] = [];
    const fetch = async (url: unknown) => {
      calls.push(url);
      throw new TypeError("failed");
    };
    const send = createTransport(fetch as typeof globalThis.fetch, options);
    await send({ method: "GET", url: request.url, headers: {} }, deadline);
    expect(calls).toHaveLength(1);
  });

  it("of one byte has it", async () => {
    const { init } = await sendThrough(() => new Response("x"), { customFetch: false }, { ...request, body: "x", once: true });
    expect(await new Response(init.body).text()).toBe("x");
  });

  it("without a body has none", async () => {
    const { init } = await sendThrough(() => new Response("x"), {}, { method: "GET", url: request.url, headers: {} });
    expect(init.body).toBeUndefined();
  });

  it.each([
    ["the caller's own fetch", true, true],
    ["a fetch that could send it again", false, true],
    ["a request that may be sent twice", false, undefined],
  ])("has a body that can be read only once where that matters: %s", async (_, customFetch, once) => {
    const { init } = await sendThrough(() => new Response("x"), { customFetch }, { ...request, ...(once && { once }) });
    if (customFetch || !once) expect(init.body).toBe("ü");
    else {
      expect(await new Response(init.body).text()).toBe("ü");
      expect(new Headers(init.headers).get("content-length")).toBe("2");
      expect(new Headers(init.headers).get("accept")).toBe("json");
    }
  });

  it("without a body, sent once, has an empty one", async () => {
    const { init } = await sendThrough(
      () => new Response("x"),
      { customFetch: false },
      { method: "POST", url: request.url, headers: {}, once: true },
    );
    const chunks = init.body as unknown as ReadableStream;
    expect(await chunks.getReader().read()).toEqual({ done: true, value: undefined });
    expect(new Headers(init.headers).get("content-length")).toBe("0");
  });
});

describe("a response", () => {
  it.each([
    ["that fits", "12345", { text: "12345", bytes: 5 }],
    ["of several bytes a character", "üü", { text: "üü", bytes: 4 }],
    ["that is empty", "", { text: "", bytes: 0 }],
    ["that is too large", "123456", { text: "", bytes: 0, tooLarge: true }],
  ])("%s", async (_, text, expected) => {
    const { end } = await sendThrough(() => new Response(text, { status: 201, headers: { a: "b" } }));
    expect(end).toEqual({ status: 201, headers: expect.any(Headers), ...expected });
    expect((end as { headers: Headers }).headers.get("a")).toBe("b");
  });

  it.each([
    ["whole", 200, 6, true],
    ["whole", 200, 5, false],
    ["stream", 200, 6, false],
    ["stream", 404, 6, true],
  ])("read as a %s with status %d and content-length %d is dropped unread: %s", async (responseBody, status, length, isDropped) => {
    const { stream, cancelled } = streamOf(["1"]);
    let signal: AbortSignal | null | undefined;
    const { end } = await sendThrough(
      (init) => {
        signal = init.signal;
        return new Response(stream, { status, headers: { "content-length": String(length) } });
      },
      { responseBody },
    );
    await settled();
    expect((end as { tooLarge?: true }).tooLarge ?? false).toBe(isDropped);
    expect([cancelled.mock.calls.length, signal?.aborted]).toEqual(isDropped ? [1, true] : [0, false]);
  });

  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])("with status %d stays open if it is streamed: %s", async (status, isOpen) => {
    const response = new Response("abc");
    Object.defineProperty(response, "status", { value: status });
    const { end } = await sendThrough(() => response, { responseBody: "stream" });
    if (!isOpen) expect(end).toMatchObject({ status, text: "abc", bytes: 3 });
    else expect(end).toEqual({ status, headers: expect.any(Headers), text: "", bytes: 0, body: expect.any(Object) });
  });

  const nested = (levels: number, inner: object): Error =>
    levels === 0 ? Object.assign(new Error("no"), inner) : new Error("no", { cause: nested(levels - 1, inner) });
  it.each<[string, unknown, boolean]>([
    ...["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"].map(
      (code): [string, unknown, boolean] => [code, nested(1, { code }), false],
    ),
    ["while connecting", nested(1, { code: "ECONNREFUSED", syscall: "connect" }), false],
    ["while looking up the name", nested(1, { code: "ENOTFOUND", syscall: "getaddrinfo" }), false],
    ["while reading", nested(1, { code: "EHOSTUNREACH", syscall: "read" }), true],
    ["a reset", nested(1, { code: "ECONNRESET" }), true],
    ["no code", new TypeError("failed"), true],
    ["not an error", "failed", true],
    ["at the surface", nested(0, { code: "ECONNREFUSED" }), false],
    ["two levels down", nested(2, { code: "ECONNREFUSED" }), false],
    ["deeper than that", nested(3, { code: "ECONNREFUSED" }), true],
  ])("that never came counts as sent, unless no connection was made: %s", async (_, error, sent) => {
    const { end } = await sendThrough(() => {
      throw error;
    });
    expect(end).toEqual({ kind: "network", sent });
  });

  it("whose body breaks counts as sent", async () => {
    expect((await sendThrough(() => new Response(streamOf(["1"], "breaks").stream))).end).toEqual({ kind: "network", sent: true });
  });
});

describe("a deadline", () => {
  const never = () => new Promise<Response>(() => {});

  it("that has passed before sends nothing", async () => {
    const fetch = vi.fn(never);
    const controller = new AbortController();
    controller.abort();
    expect(await createTransport(fetch, options)(request, { ...deadline, signal: controller.signal })).toEqual({
      kind: "aborted",
      sent: false,
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each(["timeout", "aborted"])("ends a request that gets no response: %s", async (kind) => {
    let signal: AbortSignal | null | undefined;
    const fetch = (_: unknown, init?: RequestInit) => {
      signal = init?.signal;
      return never();
    };
    const controller = new AbortController();
    const send = createTransport(fetch as typeof globalThis.fetch, options);
    const end = send(request, kind === "timeout" ? { timeout: 1 } : { ...deadline, signal: controller.signal });
    controller.abort();
    expect(await end).toEqual({ kind, sent: true });
    expect(signal?.aborted).toBe(true);
  });

  it("cancels a body that does not end", async () => {
    const { stream, cancelled } = streamOf(["1"], "stays open");
    const fetch = async () => new Response(stream);
    expect(await createTransport(fetch as typeof globalThis.fetch, options)(request, { timeout: 20 })).toEqual({
      kind: "timeout",
      sent: true,
      responded: true,
    });
    await settled();
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("cancels a body that starts afterwards", async () => {
    const { stream, cancelled } = streamOf(["1"], "stays open");
    let respond: (response: Response) => void = () => {};
    const fetch = () =>
      new Promise<Response>((resolve) => {
        respond = resolve;
      });
    expect(await createTransport(fetch as typeof globalThis.fetch, options)(request, { timeout: 1 })).toEqual({
      kind: "timeout",
      sent: true,
    });
    respond(new Response(stream));
    await settled();
    expect(cancelled).toHaveBeenCalledOnce();
  });

  it("is watched until it is met", () => {
    vi.useFakeTimers();
    try {
      const controller = new AbortController();
      const missed = vi.fn();
      const watched = { timeout: 100, signal: controller.signal };
      const stop = watchDeadline(watched, missed);
      vi.advanceTimersByTime(99);
      expect(missed).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(missed.mock.calls).toEqual([["timeout"]]);
      stop();
      const stopOther = watchDeadline(watched, missed);
      stopOther();
      controller.abort();
      vi.advanceTimersByTime(1_000);
      expect([missed.mock.calls.length, vi.getTimerCount()]).toEqual([1, 0]);
      watchDeadline({ timeout: Number.POSITIVE_INFINITY, signal: new AbortController().signal }, missed);
      watchDeadline({ timeout: 2 ** 40 }, missed);
      vi.advanceTimersByTime(2 ** 31 - 2);
      expect(missed).toHaveBeenCalledOnce();
      vi.advanceTimersByTime(1);
      expect(missed).toHaveBeenCalledTimes(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it("of a delay ends it early", async () => {
    const controller = new AbortController();
    await expect(sleep(1, controller.signal, "doIt")).resolves.toBeUndefined();
    const sleeping = sleep(60_000, controller.signal, "doIt");
    controller.abort();
    await expect(sleeping).rejects.toMatchObject({ code: "aborted", operation: "doIt" });
    await expect(sleep(60_000, controller.signal, "doIt")).rejects.toMatchObject({ code: "aborted" });
    await expect(sleep(1, undefined, "doIt")).resolves.toBeUndefined();
  });

  it.each([
    ["timeout", "doIt: no complete response arrived within the timeout", "Try again, or increase the timeout option"],
    ["aborted", "doIt: the caller aborted the call", "Nothing to do: the call was aborted on purpose"],
    ["network", "doIt: the service could not be reached, or the connection broke", "Check the server URL and the network, then try again"],
  ] as const)("that is missed becomes an error: %s", (kind, message, advice) => {
    expect(failureToError(kind, "doIt")).toMatchObject({ code: kind, message, advice, operation: "doIt" });
  });
});

describe("a body", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  it.each<[string[], number, string | undefined]>([
    [["abc"], 3, "abc"],
    [["ab", "c"], 3, "abc"],
    [["a", "b", "cd"], 4, "abcd"],
    [["a", "b", "cd"], 3, undefined],
    [[], 0, ""],
  ])("of %j, at most %d bytes, is read as %s", async (chunks, most, text) => {
    const { stream, cancelled } = streamOf([...chunks, "never"].slice(0, text === undefined ? undefined : -1), "closes");
    const controller = new AbortController();
    const body = await openBody(new Response(stream), controller);
    const read = await readAll(body, most);
    expect(read && new TextDecoder().decode(read)).toBe(text);
    expect([controller.signal.aborted, cancelled.mock.calls.length]).toEqual(text === undefined ? [true, 1] : [false, 0]);
  });

  it("may not be a stream", async () => {
    const controller = new AbortController();
    const response = { body: null, headers: new Headers(), arrayBuffer: async () => bytes("abc").buffer } as never;
    const body = await openBody(response, controller);
    expect([await body.read(), await body.read()]).toEqual([bytes("abc"), undefined]);
    body.cancel();
    expect(controller.signal.aborted).toBe(true);
    dropBody(response, controller);
  });

  it("that is dropped closes its connection", () => {
    const { stream, cancelled } = streamOf(["a"]);
    const controller = new AbortController();
    dropBody(new Response(stream), controller);
    expect([controller.signal.aborted, cancelled.mock.calls.length]).toEqual([true, 1]);
  });
});

describe("the limit of concurrent requests", () => {
  /** Starts a call that waits for a slot, and notes in `order` when it gets one. */
  function taking(limit: ReturnType<typeof createConcurrencyLimit>, order: string[]) {
    return (name: string, isRetry = false, when: Parameters<typeof limit.acquire>[1] = deadline) =>
      limit.acquire("doIt", when, isRetry).then(
        (release) => {
          order.push(name);
          return release;
        },
        (error: { code: string; operation: string }) => {
          order.push(`${name} ${error.code} ${error.operation}`);
          return () => {};
        },
      );
  }

  it("grants slots in order, retries first", async () => {
    const order: string[] = [];
    const take = taking(createConcurrencyLimit(2), order);
    const [a, b] = await Promise.all([take("a"), take("b")]);
    const waiting = [take("c"), take("d"), take("retry", true)];
    await settled();
    expect(order).toEqual(["a", "b"]);
    a?.();
    a?.();
    await settled();
    expect(order).toEqual(["a", "b", "retry"]);
    b?.();
    await settled();
    expect(order).toEqual(["a", "b", "retry", "c"]);
    (await waiting[2])?.();
    (await waiting[0])?.();
    await settled();
    expect(order).toEqual(["a", "b", "retry", "c", "d"]);
    await take("e");
    void take("f");
    await settled();
    expect(order).toEqual(["a", "b", "retry", "c", "d", "e"]);
  });

  it("forgets calls that stop waiting", async () => {
    const order: string[] = [];
    const limit = createConcurrencyLimit(1);
    const take = taking(limit, order);
    const release = await take("a");
    const controller = new AbortController();
    const aborted = take("b", false, { ...deadline, signal: controller.signal });
    const late = take("c", true, { timeout: 1 });
    void take("d", false, { timeout: 60_000, signal: controller.signal });
    const last = take("e");
    await late;
    controller.abort();
    await aborted;
    await take("f", false, { ...deadline, signal: controller.signal });
    release();
    (await last)();
    await settled();
    expect(order).toEqual(["a", "c timeout doIt", "b aborted doIt", "d aborted doIt", "f aborted doIt", "e"]);
    await take("g");
    expect(order.at(-1)).toBe("g");
  });

  it("does not end a call that has a slot", async () => {
    const order: string[] = [];
    const take = taking(createConcurrencyLimit(1), order);
    const release = await take("a");
    const controller = new AbortController();
    const next = take("b", false, { timeout: 20, signal: controller.signal });
    release();
    (await next)();
    controller.abort();
    await take("c");
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("does not apply to token requests", async () => {
    const release = await noLimit.acquire("doIt", deadline, false);
    expect(release()).toBeUndefined();
  });
});
