import { describe, vi } from 'vitest';
import { checkoutLocal, checkoutRemote } from './checkout_crash.ts';
import { testMs } from './child.ts';
import { paidFirstLocal, paidFirstRemote } from './paid_first_crash.ts';
import { passedOn } from './passed_on_crash.ts';
import { paymentsLocal, paymentsRemote } from './payments_crash.ts';
import { crashes } from './phoenix.ts';
import { refundsLocal, refundsRemote } from './refunds_crash.ts';
import { setupsLocal, setupsRemote } from './setups_crash.ts';
import { subscriptionsLocal, subscriptionsRemote } from './subscriptions_crash.ts';

vi.setConfig({ testTimeout: testMs, hookTimeout: testMs });

/** All verbs are in one file, because they share kills. `npm run torture` has more cases, and a kill for each. */
describe('kill -9', () => {
  const remote = [
    ...passedOn(),
    ...paymentsRemote(),
    ...refundsRemote(),
    ...subscriptionsRemote(),
    ...paidFirstRemote(),
    ...setupsRemote(),
    ...checkoutRemote(),
  ];
  crashes([
    ...remote,
    ...paymentsLocal(),
    ...refundsLocal(),
    ...subscriptionsLocal(),
    ...paidFirstLocal(),
    ...setupsLocal(),
    ...checkoutLocal(),
  ]);
});
