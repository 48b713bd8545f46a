import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useState } from 'react';
import { Failure } from './failure.tsx';
import { isMissing, Missing } from './missing.tsx';
import { PageSkeleton } from './skeletons.tsx';
import { useTitle } from './title.ts';

/** Leads to another page, once. It keeps to what it was first given, because this page is rendered again on the way. */
export function Redirect(given: { to: string; search?: Record<string, string> }) {
  const navigate = useNavigate();
  const [{ to, search }] = useState(given);
  useEffect(() => void navigate({ to, search: (search ?? {}) as never, replace: true }), [navigate, to, search]);
  return null;
}

type RedirectPageProps<Item> = Pick<ComponentProps<typeof Missing>, 'list' | 'path'> & {
  id: string;
  /** What `useRead` gives. */
  reading: { data: Item | undefined; error: unknown; refetch(): unknown };
  to(item: Item): string;
};

/** The address of an object that another page shows: it leads there. */
export function RedirectPage<Item>({ id, list, path, reading, to }: RedirectPageProps<Item>) {
  const { data, error, refetch } = reading;
  useTitle(id);
  if (data !== undefined) return <Redirect to={to(data)} />;
  if (isMissing(error)) return <Missing error={error} list={list} path={path} />;
  return (
    <>
      <h1 className="visually-hidden">{id}</h1>
      {error === null ? <PageSkeleton /> : <Failure error={error} onRetry={() => void refetch()} />}
    </>
  );
}
