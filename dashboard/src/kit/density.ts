import { useLocalStorage } from '@mantine/hooks';
import { useWorkspace } from '../session/workspace.tsx';

/** How high rows are: 34 px, or 42 px. */
export const densities = ['compact', 'comfortable'] as const;
export type Density = (typeof densities)[number];

/** The person's own choice, in this browser, for all lists. */
export function useDensity() {
  const { session } = useWorkspace();
  return useLocalStorage<Density>({
    key: `tollgate.density.${session.user.id}`,
    defaultValue: 'compact',
    getInitialValueInEffect: false,
  });
}
