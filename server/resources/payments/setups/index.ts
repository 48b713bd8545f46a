import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Outstanding, outstandingWork, rowsInStatus } from '../../../operations/extension_points/outstanding.ts';
import { type SearchTerms, searchable, searchables } from '../../../operations/extension_points/search.ts';
import {
  relationById,
  timelineKinds,
  timelineOf,
  timelineRelations,
} from '../../../operations/extension_points/timeline.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Declared, eventsOf, resource } from '../../../operations/resource.ts';
import type { Services } from '../../../operations/services.ts';
import { flaggedOutcomes } from '../attempts/attention.ts';
import { findAttemptsByReference } from '../attempts/by_reference.ts';
import { needsPerson, unknownOutcomes } from '../attempts/gauges.ts';
import { usesOfMethods } from '../payment_methods/jobs.ts';
import { closePage, type ReturnKind, returnKinds, type Words } from '../returns/page.ts';
import { setupErrors } from './errors.ts';
import { findSetups, setupDescriptor, setupOperations } from './operations.ts';
import { SetupOutput } from './schema.ts';
import { type Setup, type SetupStatus, setupEvents } from './setup.ts';
import { setupJobs } from './setup_jobs.ts';
import { findSetupIdsOf, hasUnfinishedSetup, setupsTable } from './store.ts';
import { setupSettlements, setupTopic } from './topic.ts';

const outstandingSetups: readonly Outstanding[] = [
  rowsInStatus({
    kind: 'setups_requires_action',
    fate: 'are canceled; the cardholder can no longer authenticate',
    table: setupsTable,
    statuses: ['requires_action'],
    endsBy: 'setups.cancel',
  }),
  rowsInStatus({
    kind: 'setups_processing',
    fate: 'wait for the processor: the outcome is unknown',
    table: setupsTable,
    statuses: ['processing'],
  }),
];

const unfinished = {
  title: 'Your card is not confirmed yet',
  words: `The shop is notified as soon as it is. You were not charged. ${closePage}`,
};
const returnTexts: Record<SetupStatus, Words> = {
  succeeded: { title: 'Your card was confirmed', words: `You were not charged. ${closePage}` },
  failed: { title: 'Your card could not be confirmed', words: `You were not charged. ${closePage}` },
  canceled: { title: 'Confirming your card was canceled', words: `You were not charged. ${closePage}` },
  processing: unfinished,
  requires_action: unfinished,
};

const topicOf = (declared: Declared) => setupTopic(declared.extensionsOf(setupSettlements));

/** How cardholders come back from the authentication of a setup. */
function returnsFromSetups(services: Services, declared: Declared): ReturnKind {
  return {
    prefix: 'set',
    name: 'setup',
    async find(reads, tenant, id) {
      const setup = await reads.one(setupsTable, tenant, id);
      return setup && { ...setup, attempt: setup.open_attempt ?? setup.setup_attempt };
    },
    handlers: setupJobs(services, declared),
    texts: returnTexts,
  };
}

export const setups = resource({
  name: 'setups',
  about: 'Payment methods that are verified without a charge, and may then be charged without the cardholder.',
  place: { group: 'Payments', position: 25 },
  errors: setupErrors,
  events: eventsOf(setupEvents, SetupOutput),
  operations: (declared) => setupOperations(topicOf(declared)),
  jobs: (services, declared) => [setupJobs(services, declared).job()],
  notices: setupJobs,
  gauges: [...unknownOutcomes('setup', ['setup', 'cancel', 'reverse']), needsPerson('setup', setupsTable)],
  extensions: [
    needsAttention.with(flaggedOutcomes('setup', setupsTable)),
    ...outstandingSetups.map(outstandingWork.with),
    usesOfMethods.with(hasUnfinishedSetup),
    expandables.with(expandable(setupDescriptor)),
    timelineKinds.with(timelineOf(setupDescriptor)),
    timelineRelations.with({ of: 'pm', scope: 'payment_methods:read', find: findSetupIdsOf }),
    timelineRelations.with(
      relationById({
        of: 'cs',
        scope: 'payment_methods:read',
        table: setupsTable,
        prefix: 'set',
        column: 'checkout_session',
      }),
    ),
    searchables.with(searchable(setupDescriptor, described, { foundBy: 'id', exact: byReference })),
    returnKinds.with(returnsFromSetups),
  ],
});

function described({ status, payment_method }: Setup) {
  const summary = () => ({ title: `Setup of ${payment_method}`, subtitle: status.replaceAll('_', ' ') });
  return { summary, texts: [] };
}

async function byReference(context: Context, { reference }: SearchTerms, limit: number): Promise<Setup[]> {
  const attempts = await findAttemptsByReference(context, reference, limit);
  return [
    ...(
      await findSetups(
        context,
        attempts.flatMap(({ setup }) => setup ?? []),
      )
    ).values(),
  ];
}
