import { parseArgs } from "node:util";
import { QUESTIONS, questionOf } from "./questions/index.ts";
import { report } from "./report.ts";
import { openSession, toolsOf } from "./session.ts";
import { appendLines, check, readTranscript, recordGrade, repeat, transcriptsOf } from "./transcript.ts";
import { WORLDS } from "./world.ts";

const USAGE = `Usage: sit.ts COMMAND, with --name SITTING (default: draft)
  tools                    the instructions and tools as a host gets them
  questions [--part 1/4]   ids, the day they are asked, and texts
  call ID TOOL JSON        one tool call for a question; earlier calls of the question are repeated first
  answer ID TEXT           the final answer, in the language of the question
  restart ID               forgets a question's calls and answer
  grade [ID]               right and wrong, calls, tokens and refused calls

The user is in Germany (Europe/Berlin), and it is 11:30 there, or 17:30 in September.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { name: { type: "string", default: "draft" }, part: { type: "string" } },
});
const [command, id = "", tool = "", json = "{}"] = positionals;
const { name } = values;

async function printTools() {
  const session = await openSession({});
  console.log(JSON.stringify(await toolsOf(session.client), null, 1));
}

function printQuestions() {
  const [part = 1, parts = 1] = (values.part ?? "1/1").split("/").map(Number);
  for (const [index, question] of QUESTIONS.entries())
    if (index % parts === part - 1)
      console.log(`${question.id}\t[${WORLDS[question.world ?? "november"].now.slice(0, 10)}]\t${question.text}`);
}

async function makeCall() {
  const transcript = readTranscript(name, id);
  const session = await openSession(questionOf(id));
  await repeat(session, transcript.calls);
  const { call, text } = await session.call(tool, JSON.parse(json));
  appendLines(name, id, [{ call }]);
  console.log(`${call.refused ? "[error]\n" : ""}${text}`);
}

function recordAnswer() {
  appendLines(name, questionOf(id).id, [{ answer: positionals.slice(2).join(" ") }]);
}

async function printGrades() {
  for (const transcript of id ? [readTranscript(name, id)] : transcriptsOf(name)) {
    const { shown, wrong } = await check(transcript);
    recordGrade(name, transcript, { shown, wrong });
  }
  console.log(report(transcriptsOf(name)));
}

const commands: Record<string, () => unknown> = {
  tools: printTools,
  questions: printQuestions,
  call: makeCall,
  answer: recordAnswer,
  restart: () => appendLines(name, questionOf(id).id, [{ restart: true }]),
  grade: printGrades,
};

const run = commands[command ?? ""];
if (run) await run();
else console.log(USAGE);
// The server keeps reading the fleet for a while after a call.
process.exit(0);
