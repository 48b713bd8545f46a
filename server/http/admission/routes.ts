import Router from 'find-my-way';
import { assert, type Refusal } from '../../base/errors.ts';
import type { Page, PageMethod } from '../../base/page.ts';
import type { AnyOperation } from '../../resources/operation.ts';
import { refusal } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { safePath } from './safe_path.ts';

/** The values of the `:names` in a path, percent-decoded. */
export type PathParams = Readonly<Record<string, string>>;

type Served = { kind: 'operation'; operation: AnyOperation } | { kind: 'page'; page: Page };

/** What a request asks for. */
export type Match = { serves: Served; params: PathParams };

/** A longer id is not looked for: the path is then unknown. */
const paramCharsMax = 1_000;

/** A page that answers GET answers HEAD as well. */
const pageMethods: readonly PageMethod[] = ['GET', 'HEAD'];

/** Finds what serves a method and a path below the version that `readPath` put in front of it. */
export class Routes {
  readonly #router = Router({ maxParamLength: paramCharsMax, querystringParser: () => undefined });
  readonly #methods: { pattern: RegExp; method: string }[] = [];

  constructor(operations: readonly AnyOperation[], pages: readonly Page[]) {
    for (const operation of operations)
      this.#add(operation.method, `/v1${operation.route}`, { kind: 'operation', operation });
    for (const page of pages)
      for (const method of page.methods ?? pageMethods) this.#add(method, page.path, { kind: 'page', page });
  }

  /** Undefined also when the path cannot be decoded or a part of it is too long: nothing has such a path. */
  find({ method, version }: Exchange): Match | undefined {
    const found = this.#router.find(method as Router.HTTPMethod, version.path);
    return found === null ? undefined : { serves: found.store as Served, params: found.params as PathParams };
  }

  /** Names the methods that the path exists with. */
  unrecognized({ method, target, version }: Exchange): Refusal {
    const [path = ''] = version.path.split('?', 1);
    const allowed = this.#methods.filter(({ pattern }) => pattern.test(path)).map((one) => one.method);
    const headers: Record<string, string> = allowed.length === 0 ? {} : { Allow: [...new Set(allowed)].join(', ') };
    return refusal('url_unrecognized', { method, path: safePath(target), headers });
  }

  #add(method: Router.HTTPMethod, path: string, serves: Served): void {
    this.#router.on(method, path, notCalled, serves);
    this.#methods.push({ method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`) });
  }
}

/** The router can also call handlers. Here it is only asked what it finds. */
function notCalled(): void {
  assert(false, 'the router calls no handler');
}
