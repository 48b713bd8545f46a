import type { Page, Rendered } from '../../../base/page.ts';
import { once } from '../reference/once.ts';
import { clientTarball } from './built.ts';

export const clientPath = '/sdk/tollgate-node.tgz';

const unavailable: Rendered = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: 'The package is not built here. In the checkout, run npm ci --include=dev, and restart the gateway.\n',
};

/** The client for Node, for `npm install`. It is built by the first request, and kept; a failed build is not tried again. */
export function sdkPages(
  log: { error(fields: object, message: string): void },
  makeTarball: () => Promise<Buffer | undefined> = clientTarball,
): Page[] {
  const tarball = once(() =>
    makeTarball().catch((error: Error) => {
      log.error({ error: error.message }, 'could not build the package of the client');
      return undefined;
    }),
  );
  const render = async (): Promise<Rendered> => {
    const bytes = await tarball();
    return bytes === undefined ? unavailable : { status: 200, contentType: 'application/gzip', body: '', bytes };
  };
  return [{ path: clientPath, counted: true, render }];
}
