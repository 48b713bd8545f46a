import { catalog } from '../catalog.ts';
import { searchables } from '../operations/extension_points/search.ts';
import { findTenants } from '../operations/tenants.ts';
import { indexLagEverywhere, walksLeftEverywhere } from '../resources/views/search/everywhere.ts';
import { beginWalks } from '../resources/views/search/walks.ts';
import { withConnection } from './context.ts';
import { print } from './print.ts';

/** Lets the servers make the index again from what exists. Searches go on meanwhile, by what is there. */
export async function rebuild(options: { account?: string; json?: boolean }): Promise<void> {
  const walks_left = await withConnection(async ({ client, at }) => {
    const kinds = catalog.extensionsOf(searchables);
    const tenants = (await findTenants(client, options.account)).map(({ tenant }) => tenant);
    await at.everywhere(({ sql, has, change }) => {
      const own = tenants.filter(has);
      return change(own, () => beginWalks(sql, kinds, { tenants: own }));
    }, tenants);
    return walksLeftEverywhere(at);
  });
  print(options.json, { walks_left }, () =>
    [
      'The servers rebuild the search index now, in the background. Searches go on meanwhile.',
      '"tollgate search status" shows what is left.',
    ].join('\n'),
  );
}

/** How far the index is behind. */
export async function status(options: { json?: boolean }): Promise<void> {
  const found = await withConnection(
    async ({ at }) => ({ lag_seconds: await indexLagEverywhere(at), walks_left: await walksLeftEverywhere(at) }),
    { isReadOnly: true },
  );
  const { lag_seconds, walks_left } = found;
  print(options.json, found, () =>
    [
      lag_seconds === 0
        ? 'Every change is in the search index.'
        : `The oldest change has waited for ${Math.ceil(lag_seconds)} s.`,
      walks_left === 0
        ? 'Nothing is being rebuilt.'
        : `Being rebuilt: ${walks_left} kinds of objects, each of an account in a mode, are left.`,
    ].join('\n'),
  );
}
