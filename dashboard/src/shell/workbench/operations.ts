import { apiOperations } from '../../generated/operations.ts';
import type { ApiRequest } from '../../nouns/sending.ts';
import type { OperationName } from '../../session/rights.ts';
import type { Workspace } from '../../session/workspace.tsx';

export type ApiOperation = {
  name: OperationName;
  method: ApiRequest['method'];
  /** With `:id`. */
  path: string;
  /** The types, with a mark behind those that are required. */
  parameters: Readonly<Record<string, string>>;
};

const all = Object.entries(apiOperations).map(([name, text]) => {
  const [method, path, ...parameters] = text.split(' ');
  const types = Object.fromEntries(parameters.map((one) => one.split(/:(.*)/s, 2)));
  return { name, method, path, parameters: types } as ApiOperation;
});

/** What somebody can send from here: in live mode, what only reads. */
export function offeredTo({ may, mode }: Pick<Workspace, 'may' | 'mode'>): ApiOperation[] {
  return all.filter(({ name, method }) => (mode === 'test' || method === 'GET') && may(name));
}

/** `GET /v1/payments/:id`, as it is completed. */
export const lineOf = ({ method, path }: Pick<ApiOperation, 'method' | 'path'>) => `${method} ${path}`;

/** The operation that has a method and a path; undefined where there is none. */
export function operationAt(method: string, path: string): ApiOperation | undefined {
  const [bare = ''] = path.split('?', 1);
  const fits = (one: ApiOperation) => {
    const [steps, sent] = [one.path.split('/'), bare.split('/')];
    return steps.length === sent.length && steps.every((step, at) => step === ':id' || step === sent[at]);
  };
  const found = all.filter((one) => one.method === method && fits(one));
  // A word of the path is meant before an id.
  return found.find(({ path: route }) => !route.includes(':id')) ?? found[0];
}

/** The value of a field: what its type makes of the text. Undefined where that is empty. */
export function typedValue(text: string, type: string): unknown {
  if (text === '') return undefined;
  if (/integer|number|boolean|object|array/.test(type)) {
    try {
      return JSON.parse(text);
    } catch {
      return text; // the gateway says what is wrong with it
    }
  }
  return text;
}

export function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The parameters of a JSON text; undefined if it is no object. An empty text is none. */
export function parametersIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = text.trim() === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
