import { Button, Group, Select, Skeleton, Text } from '@mantine/core';
import type { Event, TestClock, Tollgate } from '@tollgate/node';
import { Fragment, useState } from 'react';
import { Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { formatMoney } from '../../kit/money.ts';
import { usePolling } from '../../kit/poll.ts';
import { useRead } from '../../kit/read.ts';
import { type Tone, wordsOf } from '../../kit/status.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import { MaybeNamed } from '../../nouns/names.tsx';
import { objectWords } from '../../nouns/object_words.ts';
import { useAdvances } from './advances.ts';
import { useClockCustomers } from './customers.tsx';
import { type Advance, countsOf, eventsOf } from './history.ts';
import { spanWords } from './times.ts';

const pagesMax = 10;
const entriesAtFirst = 30;

type During = { events: Event[]; isComplete: boolean };

/** Events that were made while an advance was under way, oldest first. */
async function eventsDuring(api: Tollgate, { at, until }: Advance, options: { signal: AbortSignal }): Promise<During> {
  const created = { gte: at, ...(until !== undefined && { lte: until }) };
  const found: Event[] = [];
  let pages = 0;
  for await (const { data, has_more } of api.events.list({ created, limit: 100 }, options).pages()) {
    found.push(...data);
    pages += 1;
    if (pages === pagesMax && has_more) return { events: found.reverse(), isComplete: false };
  }
  return { events: found.reverse(), isComplete: true };
}

/** What an advance has brought, by the time of the clock. */
export function Happened({ clock, awaited }: { clock: TestClock; awaited: number | undefined }) {
  const { data: advances = [], error } = useAdvances(clock.id, awaited);
  const [chosen, setChosen] = useState<string>();
  const advance = advances.find(({ request }) => request === chosen) ?? advances[0];
  if (error !== null) return <Failure error={error} />;
  if (advance === undefined) return null;
  const choices = advances.map(({ request, from, to }, index) => {
    const span = from === undefined ? '' : `, ${spanWords(from, to)}`;
    return { value: request, label: `${index === 0 ? 'Last advance' : `Advance ${advances.length - index}`}${span}` };
  });
  return (
    <Section
      title="What happened"
      aside={
        <Select
          size="xs"
          w={{ base: 160, sm: 220 }}
          aria-label="Advance"
          data={choices}
          value={advance.request}
          allowDeselect={false}
          onChange={(value) => setChosen(value ?? undefined)}
        />
      }
    >
      <Events key={advance.request} clock={clock} advance={advance} />
    </Section>
  );
}

function Events({ clock, advance }: { clock: TestClock; advance: Advance }) {
  const { data: found } = useClockCustomers(clock.id);
  const isUnderWay = clock.status === 'advancing' && advance.until === undefined;
  const { data, error, refetch } = useRead(['test_clocks', clock.id, 'events', advance], (api, options) =>
    eventsDuring(api, advance, options),
  );
  usePolling(isUnderWay, refetch);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined || found === undefined) return <Skeleton height={120} />;
  const events = eventsOf(data.events, { clock: clock.id, customers: found.customers, advance });
  if (events.length === 0) return <Text c="dimmed">{isUnderWay ? 'Nothing yet.' : 'Nothing was due.'}</Text>;
  return (
    <>
      <Text c="dimmed" mb="md">
        {countsOf(events)}
      </Text>
      {!data.isComplete && (
        <Text c="dimmed" mb="md">
          There are too many events to show all: these are the newest.
        </Text>
      )}
      <Newest events={events} />
    </>
  );
}

/** The newest, and all on demand: a year of a few customers is hundreds. */
function Newest({ events }: { events: readonly Event[] }) {
  const [isAll, setAll] = useState(false);
  const shown = isAll ? events : events.slice(-entriesAtFirst);
  return (
    <>
      <Timeline entries={shown.map(entryOf)} />
      {shown.length < events.length && (
        <Button variant="default" size="xs" mt="md" onClick={() => setAll(true)}>
          Show all {events.length.toLocaleString()} events
        </Button>
      )}
    </>
  );
}

type Shown = { id: string; amount_due?: number; amount?: number; currency?: string; status?: string };

function entryOf({ id, type, created, data }: Event): TimelineEntry {
  const { id: object, amount_due, amount = amount_due, currency, status } = data.object as Shown;
  const words = [
    ...(amount !== undefined && currency !== undefined ? [formatMoney(amount, currency)] : []),
    ...(status === undefined ? [] : [wordsOf(status).toLowerCase()]),
  ];
  // One that is called by its amount has said so already.
  const name = 'amount' in data.object ? undefined : objectWords(data.object as { id: string; object: string });
  return {
    key: id,
    at: created,
    tone: toneOfType(type),
    title: <Type type={type} />,
    detail: (
      <Group component="span" display="inline-flex" gap="0.25rem 0.75rem" maw="100%">
        {words.length > 0 && <span>{words.join(', ')}</span>} <MaybeNamed id={object} name={name} />
      </Group>
    ),
  };
}

/** Where it is too long for its line, it breaks behind its dot. */
function Type({ type }: { type: string }) {
  return type.split('.').map((part, at) => (
    <Fragment key={part}>
      {at > 0 && (
        <>
          .<wbr />
        </>
      )}
      {part}
    </Fragment>
  ));
}

function toneOfType(type: string): Tone {
  if (/\.(succeeded|paid|won)$/.test(type)) return 'good';
  return /(failed|past_due|uncollectible|deleted|canceled)/.test(type) ? 'bad' : 'quiet';
}
