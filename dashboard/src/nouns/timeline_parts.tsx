import { Group, UnstyledButton } from '@mantine/core';
import type { TimelineActor, TimelineEntry } from '@tollgate/node';
import { useId, useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { Json } from '../kit/json.tsx';
import type { Tone } from '../kit/tones.ts';
import { useWorkspace } from '../session/workspace.tsx';
import type { EntryGroup } from './entry_groups.ts';
import { deliveriesInShort, type EntryType, entryTypes, type Part, wordsOfEntry } from './entry_words.ts';
import { NamedId } from './named_id.tsx';
import style from './object_timeline.module.css';

/** Who has caused it, by name. Those who may not read keys see that it was one. */
export function Actor({ by }: { by: TimelineActor | undefined }) {
  const { may, session } = useWorkspace();
  if (by === undefined) return null;
  const { name, user, api_key } = by;
  const known = name ?? (user === session.user.id ? session.user.email : undefined);
  if (known !== undefined) return <span className={style.by}>by {known}</span>;
  if (user !== undefined)
    return <span className={style.by}>by {may('users.list') ? <NamedId id={user} /> : 'a person'}</span>;
  if (api_key === undefined) return null;
  return <span className={style.by}>by {may('api_keys.list') ? <NamedId id={api_key} /> : 'an API key'}</span>;
}

type ChipsProps = {
  entries: readonly TimelineEntry[];
  hidden: readonly EntryType[];
  onChange(hidden: readonly EntryType[]): void;
};

/** Which kinds are shown. A kind without entries cannot be chosen. */
export function Chips({ entries, hidden, onChange }: ChipsProps) {
  const toggle = (type: EntryType) =>
    onChange(hidden.includes(type) ? hidden.filter((one) => one !== type) : [...hidden, type]);
  return (
    <Group gap={6} mb="md" className={style.chips} role="group" aria-label="Kinds of entries">
      {Object.entries(entryTypes).map(([name, title]) => {
        const type = name as EntryType;
        const count = entries.filter((entry) => entry.type === type).length;
        return (
          <UnstyledButton
            key={type}
            disabled={count === 0}
            aria-pressed={count > 0 && !hidden.includes(type)}
            onClick={() => toggle(type)}
          >
            {title} {count > 0 && count}
          </UnstyledButton>
        );
      })}
    </Group>
  );
}

/** What a group is called for which there are no plain words: by its first part. */
export function titleOfGroup({ entries }: EntryGroup): { title: string; tone: Tone } {
  return wordsOfEntry(entries[0]!);
}

/** What a part is, before its title. */
const kindNames: Readonly<Record<EntryType, string>> = {
  request: 'Request',
  attempt: 'Processor',
  posting: 'Ledger',
  event: 'Event',
  audit: 'Person',
  mail: 'Mail',
};

/** The parts of a group, a line each. */
export function Parts({ entries }: { entries: readonly TimelineEntry[] }) {
  return (
    <ul className={style.parts}>
      {entries.map((entry) => (
        <PartRow key={entry.id} entry={entry} />
      ))}
    </ul>
  );
}

/** Opens to everything that the API says about it. Why a processor was chosen is shown without that. */
function PartRow({ entry }: { entry: TimelineEntry }) {
  const readsEvents = useWorkspace().may('events.retrieve');
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const { title, lines } = wordsOfEntry(entry, readsEvents);
  const short = entry.event && readsEvents ? deliveriesInShort(entry.event.deliveries) : undefined;
  return (
    <li>
      <UnstyledButton
        className={style.part}
        aria-expanded={isOpen}
        aria-controls={isOpen ? details : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={style.kind}>{kindNames[entry.type]}</span>
        <span className={style.partTitle}>
          {title}
          {short && <span className={`${style.short} ${style[short.tone]}`}> · {short.words}</span>}
        </span>
        <Icon name="right" size={12} />
      </UnstyledButton>
      {(isOpen || entry.type === 'attempt') &&
        lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines have an order and nothing else
          <Line key={index} parts={line} />
        ))}
      {isOpen && (
        <div className={style.details} id={details}>
          <div className={style.exact}>{new Date(entry.created_ms).toISOString()}</div>
          <Json value={entry[entry.type]} />
        </div>
      )}
    </li>
  );
}

function Line({ parts }: { parts: readonly Part[] }) {
  const { may } = useWorkspace();
  const isNamed = (id: string) => !id.startsWith('we_') || may('webhook_endpoints.list');
  return (
    <div className={style.line}>
      {parts.map((part) => {
        if (typeof part === 'string') return part;
        return isNamed(part.id) ? <NamedId key={part.id} id={part.id} /> : 'a webhook endpoint';
      })}
    </div>
  );
}
