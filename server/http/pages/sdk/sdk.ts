import type { Page, Rendered } from '../../../base/page.ts';
import { once } from '../reference/once.ts';
import { clientTarball, pythonTarball } from './built.ts';

type ClientPackage = { path: string; makeTarball: () => Promise<Buffer | undefined> };

/** For `npm install` and `pip install`. */
const packages: readonly ClientPackage[] = [
  { path: '/sdk/tollgate-node.tgz', makeTarball: clientTarball },
  { path: '/sdk/tollgate-python.tar.gz', makeTarball: pythonTarball },
];

const unavailable: Rendered = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: 'The package is not built here. In the checkout, run npm ci --include=dev, and restart the gateway.\n',
};

type ErrorLog = { error(fields: object, message: string): void };

/** A package is built by the first request for it, and kept; a failed build is not tried again. */
export function sdkPages(log: ErrorLog, made = packages): Page[] {
  return made.map((one) => packagePage(log, one));
}

function packagePage(log: ErrorLog, { path, makeTarball }: ClientPackage): Page {
  const tarball = once(() =>
    makeTarball().catch((error: Error) => {
      log.error({ path, error: error.message }, 'could not build the package of the client');
      return undefined;
    }),
  );
  const render = async (): Promise<Rendered> => {
    const bytes = await tarball();
    return bytes === undefined ? unavailable : { status: 200, contentType: 'application/gzip', body: '', bytes };
  };
  return { path, counted: true, render };
}
