import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { testClockErrors } from './errors.ts';
import { advanceClocks, finishClockDeletions } from './jobs.ts';
import { clockDescriptor, testClockOperations } from './operations.ts';
import { TestClockOutput } from './schema.ts';
import { testClockEvents } from './test_clock.ts';
import { clockWork } from './work.ts';

export const testClocks = resource({
  name: 'test_clocks',
  about: 'Clocks of test mode that let years pass in a moment for the customers that live by them.',
  place: { group: 'Developers', position: 50 },
  scopes: ['test_clocks'],
  errors: testClockErrors,
  events: eventsOf(testClockEvents, TestClockOutput),
  operations: (declared) => testClockOperations(declared.extensionsOf(clockWork)),
  extensions: [
    expandables.with(expandable(clockDescriptor)),
    searchables.with(
      searchable(
        clockDescriptor,
        ({ name, status }) => ({
          summary: () => ({ title: name ?? 'Test clock', subtitle: status }),
          texts: textsOf({ name }),
        }),
        { foundBy: 'few' },
      ),
    ),
  ],
  jobs: (services, declared) => [advanceClocks(services, declared), finishClockDeletions(services, declared)],
});
