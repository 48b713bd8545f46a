import { Skeleton } from '@mantine/core';

/** The shape of a page that is being loaded. */
export function PageSkeleton() {
  return (
    <div aria-busy="true" role="status" aria-label="Loading">
      <Skeleton height={28} width={180} mb="lg" />
      <Skeleton height={32} mb="sm" />
      <Skeleton height={360} />
    </div>
  );
}
