import { expect, test } from 'vitest';
import { importsOf, readRepository } from '../test/repository.ts';

/** In the order in which a request passes them. Pages go through all of them. */
const stages = ['transport', 'admission', 'reading', 'running', 'answering', 'pages'];

function stageOf(path: string): string | undefined {
  return /^server\/http\/(\w+)\//.exec(path)?.[1];
}

const imports = readRepository()
  .filter(({ path, isTest }) => path.startsWith('server/http/') && !isTest)
  .flatMap(importsOf);

test('every folder of server/http is a stage of a request', () => {
  const folders = new Set(imports.map(({ from }) => stageOf(from.path)).filter((stage) => stage !== undefined));
  expect([...folders].sort()).toEqual([...stages].sort());
});

test('a stage imports itself and the stages before it, never a later one', () => {
  const wrong = imports.filter(({ from, target }) => {
    const [here, there] = [stageOf(from.path), stageOf(target)];
    return here !== undefined && there !== undefined && stages.indexOf(here) < stages.indexOf(there);
  });
  expect(wrong.map(({ at, target }) => `${at} imports ${target}`)).toEqual([]);
});

test('a stage does not import the server, which puts the stages together', () => {
  const wrong = imports.filter(({ target }) => target === 'server/http/server.ts');
  expect(wrong.map(({ at }) => at)).toEqual([]);
});
