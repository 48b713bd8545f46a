import { Text } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import type { SearchResult } from '@tollgate/node';
import { Failure } from '../kit/failure.tsx';
import { Icon } from '../kit/icon.tsx';
import { Moment } from '../kit/moment.tsx';
import { entryOfId } from '../pages/index.ts';
import style from './palette.module.css';
import type { SearchResults } from './search_results.ts';

/** The results, by kind, above the pages. */
export function ResultGroups({ results, onOpen }: { results: SearchResults; onOpen(id: string): void }) {
  return (
    <>
      {results.groups.map(({ title, hits }) => (
        <Spotlight.ActionsGroup key={title} label={title}>
          {hits.map((hit) => (
            <Hit key={hit.id} hit={hit} onOpen={onOpen} />
          ))}
        </Spotlight.ActionsGroup>
      ))}
      {!results.isComplete && results.groups.length > 0 && (
        <Text c="dimmed" size="sm" px={12} py={8}>
          Showing the newest 20 results.
        </Text>
      )}
    </>
  );
}

function Hit({ hit, onOpen }: { hit: SearchResult; onOpen(id: string): void }) {
  const { id, title, subtitle, created } = hit;
  const icon = entryOfId(id)?.icon ?? 'search';
  return (
    <Spotlight.Action
      label={title}
      description={subtitle ?? id}
      leftSection={<Icon name={icon} />}
      rightSection={<Moment seconds={created} />}
      className={style.action}
      onClick={() => onOpen(id)}
    />
  );
}

/** Exact matches only, so it says what can be typed. */
export function NoResults({ error }: { error: unknown }) {
  return (
    <Spotlight.Empty className={style.nothing}>
      {error !== null ? (
        <Failure error={error} />
      ) : (
        <>
          <strong>No results</strong>
          <p>Search matches whole words. You can search for</p>
          <ul>
            <li>the id of anything</li>
            <li>the email of a customer</li>
            <li>
              the last four digits of a payment method, and an amount: <code>4242 2000</code> or <code>4242 20.00</code>
            </li>
            <li>
              the number of an invoice: <code>INV-000042</code> or <code>42</code>
            </li>
            <li>the reference of a processor</li>
          </ul>
        </>
      )}
    </Spotlight.Empty>
  );
}
