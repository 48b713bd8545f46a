import { callerAccount } from '../../../operations/caller.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, type Context, operation, type SentValues } from '../../../operations/operation.ts';
import { portalDefaults } from '../../../operations/portal_settings.ts';
import { findPrices } from '../../billing/prices/operations.ts';
import { isRecurring } from '../../billing/prices/price.ts';
import { portalBase } from '../portal_sessions/links.ts';
import { PortalSettingsInput, PortalSettingsOutput, shownSettings } from './schema.ts';
import { findStored, saveSettings } from './store.ts';

const retrieve = operation({
  name: 'portal_settings.retrieve',
  summary: 'Retrieve the portal settings',
  description: 'Returns what customers may do by themselves in the portal, in the mode of the request.',
  route: 'GET /portal_settings',
  callers: ['person', 'operator'],
  output: PortalSettingsOutput,
  async run(context) {
    return { result: shownSettings(await context.portalSettingsOf(context.tenant), urlOf(context)) };
  },
});

const update = operation({
  name: 'portal_settings.update',
  summary: 'Update the portal settings',
  description:
    'Changes only what it names, in the mode of the request. It holds from the next request of a customer on, whatever page is still open.',
  route: 'POST /portal_settings',
  callers: ['person', 'operator'],
  right: 'settings',
  input: PortalSettingsInput,
  output: PortalSettingsOutput,
  errors: apiError.codes('resource_missing'),
  check({ change_price = [] }) {
    if (new Set(change_price).size < change_price.length)
      throw apiError('parameter_invalid', { param: 'change_price', reason: 'it must have each price once' });
  },
  alsoChanges: () => 'portal_settings',
  async run(context, wanted) {
    const { reads, tenant, caller } = context;
    if (wanted.change_price !== undefined) await checkPrices(context, wanted.change_price);
    const stored = await findStored(reads, tenant);
    const before = { ...portalDefaults, ...stored?.settings };
    const after = { ...before, ...wanted };
    if (JSON.stringify(before) === JSON.stringify(after)) return { result: shownSettings(before, urlOf(context)) };
    const account = callerAccount(caller) ?? '';
    const details = { mode: context.mode, from: differing(before, after), to: differing(after, before) };
    return {
      result: shownSettings(after, urlOf(context)),
      objectId: account,
      writes: [
        saveSettings({ tenant, version: (stored?.version ?? 0) + 1, settings: { ...stored?.settings, ...wanted } }),
      ],
      audit: [{ action: 'portal_settings.updated', subject: account, details }],
    };
  },
});

function urlOf({ caller, mode, publicUrl }: Context): string {
  return `${publicUrl()}${portalBase(callerAccount(caller) ?? '', mode)}`;
}

function differing(one: SentValues, other: SentValues): SentValues {
  return Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(other[name])),
  );
}

async function checkPrices(context: Context, ids: readonly string[]): Promise<void> {
  const found = await findPrices(context, ids);
  for (const [at, id] of ids.entries()) {
    const param = `change_price.${at}`;
    const price = found.get(id);
    if (price === undefined) throw apiError('resource_missing', { param, resource: 'price' });
    const reason = !price.active ? 'it is not active' : isRecurring(price) ? undefined : 'it does not recur';
    if (reason !== undefined) throw apiError('parameter_invalid', { param, reason });
  }
}

export const portalSettingsOperations: AnyOperation[] = [retrieve, update];
