import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * These files take longest, mostly because they start processes or wait for real time to pass. They run first, in this order, and then the
 * larger ones of the rest. Vitest knows how long a file takes only where it has run before.
 */
export const longest = [
  'dashboard/test/essentials.test.ts',
  'reference/browser.test.ts',
  'seams/kills.test.ts',
  'processes/failover.test.ts',
  'stripe/import_walk.test.ts',
  'processes/listen.test.ts',
  'selling/portal/customer_walk.test.ts',
  'selling/portal/portal.test.ts',
  'remote_processor.test.ts',
  'processes/crash_points.test.ts',
  'processes/mail_crash.test.ts',
  'processes/webhooks_crash.test.ts',
  'processes/dev.test.ts',
  'processes/serve.test.ts',
  'processes/crash.test.ts',
  'processes/cli.test.ts',
  'processes/cluster.test.ts',
  'processes/wall_clock.test.ts',
  'processes/upgrade.test.ts',
  'processes/standby.test.ts',
  'processes/dump.test.ts',
  'processes/wrappers.test.ts',
  'sdk/test/package.test.ts',
  'test/stranger.test.ts',
  'test/examples.test.ts',
  'server/test/package.test.ts',
  'subscriptions/resumed.test.ts',
  'test/outage.test.ts',
  'outbox/send.test.ts',
  'stripe/import.test.ts',
  'simulation/simulation.test.ts',
  'billing/billing.test.ts',
  'test/guides.test.ts',
  'subscriptions/dunning.test.ts',
  'subscriptions/set_up.test.ts',
  'commands/wind_down.test.ts',
  'invoices/pdf.test.ts',
  'documents/documents.test.ts',
  'operations/list_costs.test.ts',
  'me/me.test.ts',
  'base/migrate.test.ts',
  'sessions/sessions.test.ts',
  'embedded_postgres/lifecycle.test.ts',
  'test/canary.test.ts',
  'customer_pages/pages.test.ts',
  'customer_pages/canary.test.ts',
  'checkout_page/stripe.test.ts',
  'contract/fuzz.test.ts',
  'contract/lint.test.ts',
  'http/errors.test.ts',
  'http/idor.test.ts',
  'deliveries/isolation.test.ts',
  'embedded_postgres/recovery.test.ts',
  'balance/csv.test.ts',
  'vault/rotate.test.ts',
];

function rankOf({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.endsWith(`/${name}`));
  return at === -1 ? longest.length : at;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
