import { sampleBase } from './sample.ts';

/** A command of a shell: its words, the program that reads its output, and the variable that keeps the result; or a comment. */
export type ShellCommand = { words: string[]; filter?: string[]; assigned?: string } | { comment: string };

/** A block has something in it that is more than a list of such commands. */
export class NotConvertible extends Error {}

/** The commands of a block of a guide. `lookUp` gives what a variable stands for, as of the commands before. */
export function* commandsIn(
  block: string,
  lookUp: (variable: string) => string | undefined,
): Generator<ShellCommand, void> {
  const expand = (name: string) => {
    const value = name === 'base' ? sampleBase : lookUp(name);
    if (value === undefined) throw new NotConvertible(`$${name} is not the answer of a call`);
    return value;
  };
  for (const statement of statementsIn(block)) {
    if (statement.startsWith('#')) {
      yield { comment: statement.slice(1).trim() };
      continue;
    }
    const [, assigned, inner] = /^(\w+)=\$\(([\s\S]*)\)$/.exec(statement) ?? [];
    const [words = [], filter, ...more] = pipelineIn(inner ?? statement, expand);
    if (more.length > 0) throw new NotConvertible('more than two programs');
    yield { words, ...(filter && { filter }), ...(assigned && { assigned }) };
  }
}

/** The statements, each in one or more lines: within quotes, parentheses and after a backslash a line does not end. */
function statementsIn(block: string): string[] {
  const statements: string[] = [];
  let [current, quote, depth] = ['', '', 0];
  for (const line of block.trimEnd().split('\n')) {
    current += `${line}\n`;
    const isComment = quote === '' && depth === 0 && line.startsWith('#');
    for (const letter of isComment ? '' : line) {
      if (quote !== '') quote = letter === quote ? '' : quote;
      else if (letter === "'" || letter === '"') quote = letter;
      else if (letter === '(') depth += 1;
      else if (letter === ')') depth -= 1;
    }
    if (quote === '' && depth === 0 && !line.endsWith('\\')) {
      if (current.trim() !== '') statements.push(current.trim());
      current = '';
    }
  }
  if (current !== '') throw new NotConvertible('a statement that does not end');
  return statements;
}

const word = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\\n|([ \n]+)|(\|)|\$(\w+)|([^\s'"\\$|;&<>(){}`]+)/y;

/** The words of each program, separated by a pipe, with quotes removed and variables replaced. */
function pipelineIn(text: string, expand: (variable: string) => string): string[][] {
  const programs: string[][] = [[]];
  let current: string | undefined;
  const finish = () => {
    if (current !== undefined) programs.at(-1)!.push(current);
    current = undefined;
  };
  for (word.lastIndex = 0; word.lastIndex < text.length; ) {
    const found = word.exec(text);
    if (found === null) throw new NotConvertible(`more than words: ${text.slice(0, 60)}`);
    const [, single, double, blank, pipe, variable, bare] = found;
    if (blank !== undefined || pipe !== undefined) finish();
    if (pipe !== undefined) programs.push([]);
    const part = single ?? (double === undefined ? undefined : expanded(double, expand)) ?? bare;
    if (variable !== undefined) current = `${current ?? ''}${expand(variable)}`;
    else if (part !== undefined) current = `${current ?? ''}${part}`;
  }
  finish();
  return programs;
}

function expanded(text: string, expand: (variable: string) => string): string {
  if (/\$[^\w]|`/.test(text)) throw new NotConvertible('a command within a text');
  return text.replaceAll(/\$(\w+)|\\(.)/g, (_, name: string | undefined, letter: string) =>
    name === undefined ? letter : expand(name),
  );
}
