import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';

/** What a program prints; undefined when it is none of those that are answered here. */
export type Answer = (program: string, args: string[]) => Promise<string | undefined>;
type Options = { cwd: string; env: Record<string, string>; answer: Answer };

/**
 * `ask <program> <argument>…` asks the process of the test, over descriptors 3 and 4, instead of starting a process; it ends with 127
 * when it is not answered. The answer comes in a file, which bash reads faster than a pipe.
 */
const ask = `ask() {
  local found answer
  printf '%s\\0' $# "$@" >&3
  read -r found <&4
  [ "$found" = yes ] || return 127
  IFS= read -r -d '' answer < "$ANSWER_FILE" || true
  printf '%s' "$answer"
}`;

/** Runs a script in bash that can `ask`. Its exit status does not matter, as in a shell that somebody types in. */
export async function runShell(script: string, options: Options): Promise<{ stdout: string; stderr: string }> {
  const answerFile = join(options.cwd, '.answer');
  const env = { ...options.env, ANSWER_FILE: answerFile };
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'] as const;
  const shell = spawn('bash', ['--norc', '-c', `${ask}\n${script}`], { cwd: options.cwd, env, stdio: [...stdio] });
  const [questions, answers] = [shell.stdio[3] as Duplex, shell.stdio[4] as Duplex];
  answers.on('error', () => {}); // the shell has ended
  const answerAll = async () => {
    for await (const [program = '', ...args] of questionsIn(questions)) {
      const answer = await options.answer(program, args);
      if (answer !== undefined) writeFileSync(answerFile, answer);
      answers.write(answer === undefined ? 'no\n' : 'yes\n');
    }
  };
  try {
    const [stdout, stderr] = await Promise.all([text(shell.stdout!), text(shell.stderr!), answerAll()]);
    return { stdout, stderr };
  } finally {
    shell.kill('SIGKILL'); // it has ended, unless a question could not be answered
    rmSync(answerFile, { force: true });
  }
}

/** Each is the number of its words, and the words; each ends with a NUL. */
async function* questionsIn(stream: Duplex): AsyncGenerator<string[]> {
  let rest = '';
  let words: string[] = [];
  for await (const chunk of stream.setEncoding('utf8')) {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop()!;
    words.push(...parts);
    while (words.length > Number(words[0])) {
      const count = Number(words[0]);
      yield words.slice(1, count + 1);
      words = words.slice(count + 1);
    }
  }
}
