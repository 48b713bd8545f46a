import type { Declared } from '../../../operations/resource.ts';
import { SetupJobs } from './jobs.ts';
import type { SetupServices } from './pass_on.ts';
import { setupSettlements, setupTopic } from './topic.ts';

/** The jobs of setups with everything that resources add to them: also for the owner of a setup, who closes it. */
export function setupJobs(services: SetupServices, declared: Pick<Declared, 'extensionsOf'>): SetupJobs {
  return new SetupJobs(services, setupTopic(declared.extensionsOf(setupSettlements)));
}
