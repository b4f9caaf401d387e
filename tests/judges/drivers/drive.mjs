// Runs one MCP client in a process of its own, on the Node and the packages that it wants: what to do comes over IPC, what came of it goes back.

/** What a client replies to every question until it is set anew, and the questions since the last call. */
const user = { reply: { action: "cancel" }, asked: [] };

/** The handler of a client that can ask its user. */
export function askUser(message) {
  user.asked.push(message);
  return user.reply;
}

const wordsOf = (error) => [error?.message ?? String(error), ...(error?.cause ? [String(error.cause)] : [])].join(": ");

async function attempt(work) {
  user.asked = [];
  try {
    const seen = await work();
    return { seen: typeof seen === "string" ? seen : (JSON.stringify(seen) ?? ""), thrown: false, asked: user.asked };
  } catch (error) {
    return { seen: wordsOf(error), thrown: true, asked: user.asked };
  }
}

/** `open` connects the client and returns its `revision` (where it can be read), `call(tool, args)`, as its model would call, and `close()`. */
export function drive(open) {
  let session;
  process.on("message", async ({ id, open: how, call, reply, close }) => {
    if (reply !== undefined) user.reply = reply;
    if (how !== undefined) {
      const { seen, thrown } = await attempt(async () => {
        session = await open(how);
        return session.revision ?? "";
      });
      process.send({ id, seen, thrown });
    } else if (call !== undefined) process.send({ id, ...(await attempt(() => session.call(call.tool, call.args))) });
    else if (close) {
      await attempt(() => session?.close());
      process.send({ id }, () => process.exit(0));
    }
  });
  process.on("disconnect", () => process.exit(0));
}
