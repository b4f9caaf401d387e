// Runs one MCP client in its own process, with the Node and packages that it needs. Commands and results go over IPC.

/** The user's reply to every question until it is changed, and the questions since the last call. */
const user = { reply: { action: "cancel" }, questions: [] };

/** The elicitation handler. */
export function askUser(message) {
  user.questions.push(message);
  return user.reply;
}

const wordsOf = (error) => [error?.message ?? String(error), ...(error?.cause ? [String(error.cause)] : [])].join(": ");

async function attempt(work) {
  user.questions = [];
  try {
    const seen = await work();
    return { seen: typeof seen === "string" ? seen : (JSON.stringify(seen) ?? ""), thrown: false, questions: user.questions };
  } catch (error) {
    return { seen: wordsOf(error), thrown: true, questions: user.questions };
  }
}

/** `open` connects the client and returns its `revision` (if known), `call(tool, args)`, which calls like its model would, and `close()`. */
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
