import Router from 'find-my-way';
import { type ApiError, assert } from '../../base/errors.ts';
import type { Page, PageMethod } from '../../base/page.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { apiError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { safePath } from './safe_path.ts';

/** The values of the `:names` in a path, percent-decoded. */
export type PathParams = Readonly<Record<string, string>>;

type Served = { kind: 'operation'; operation: AnyOperation } | { kind: 'page'; page: Page };

/** The operation or the page that a request asks for. */
type Match = { serves: Served; params: PathParams };

/** A path with a longer id is unknown. */
const paramCharsMax = 1_000;

const pageMethods: readonly PageMethod[] = ['GET', 'HEAD'];

/** Finds the operation or page for a method and a path. `readPath` has put the version in front of the path. */
export class Routes {
  readonly #router = Router({ maxParamLength: paramCharsMax, querystringParser: () => undefined });
  readonly #methods: { pattern: RegExp; method: string }[] = [];
  readonly #pagePaths: ReadonlySet<string>;
  readonly #pagePrefixes: readonly string[];

  constructor(operations: readonly AnyOperation[], pages: readonly Page[]) {
    for (const operation of operations)
      this.#add(operation.method, `/v1${operation.route}`, { kind: 'operation', operation });
    for (const page of pages)
      for (const method of page.methods ?? pageMethods) this.#add(method, page.path, { kind: 'page', page });
    const paths = pages.map(({ path }) => path);
    this.#pagePaths = new Set(paths);
    this.#pagePrefixes = paths.filter((path) => /[:*]/.test(path)).map((path) => path.slice(0, path.search(/[:*]/)));
  }

  /** Whether a path is that of a page, or begins with the part of it before the first `:name` or `*`. */
  isPage(path: string): boolean {
    return this.#pagePaths.has(path) || this.#pagePrefixes.some((prefix) => path.startsWith(prefix));
  }

  /** Undefined also for a path that cannot be decoded or has a part that is too long. */
  find({ method, version }: Exchange): Match | undefined {
    const found = this.#router.find(method as Router.HTTPMethod, version.path);
    return found === null ? undefined : { serves: found.store as Served, params: found.params as PathParams };
  }

  /** Its `Allow` header lists the methods that the path has. */
  unrecognized({ method, target, version }: Exchange): ApiError {
    const [path = ''] = version.path.split('?', 1);
    const allowed = this.#methods.filter(({ pattern }) => pattern.test(path)).map((one) => one.method);
    const headers: Record<string, string> = allowed.length === 0 ? {} : { Allow: [...new Set(allowed)].join(', ') };
    return apiError('url_unrecognized', { method, path: safePath(target), headers });
  }

  #add(method: Router.HTTPMethod, path: string, serves: Served): void {
    this.#router.on(method, path, notCalled, serves);
    this.#methods.push({ method, pattern: new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')}$`) });
  }
}

/** The router asks for a handler that it could call. It is used for `find` only. */
function notCalled(): void {
  assert(false, 'the router calls no handler');
}
