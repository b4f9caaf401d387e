import type { Exchange } from "./exchange.ts";

interface WebExchange {
  exchange: Exchange;
  /** Watches how the response ends. */
  observe: (response: Response) => Response;
}

/**
 * Describes a request received by a server that follows the Fetch standard. A response counts as delivered once the server has read all of it, since
 * the program cannot know more.
 */
export function webExchange(request: Request): WebExchange {
  let end = (_: boolean) => {};
  const written = new Promise<boolean>((resolve) => {
    end = resolve;
  });
  request.signal.addEventListener("abort", () => end(false), { once: true });
  if (request.signal.aborted) end(false);
  const { host, pathname, search } = new URL(request.url);
  return {
    exchange: { written, hosts: [request.headers.get("host") ?? host], target: pathname + search, proxied: false },
    observe: (response) => {
      if (response.body === null) {
        end(true);
        return response;
      }
      const reader = response.body.getReader();
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          const { done, value } = await reader.read();
          if (value !== undefined) controller.enqueue(value);
          if (!done) return;
          controller.close();
          end(true);
        },
        cancel: async (reason) => {
          end(false);
          await reader.cancel(reason);
        },
      });
      return new Response(body, { status: response.status, headers: response.headers });
    },
  };
}
