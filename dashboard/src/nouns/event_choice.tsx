import { Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InputProps } from '../kit/dialog_form.tsx';
import { Icon } from '../kit/icon.tsx';
import style from './event_choice.module.css';
import { type EventFamily, eventsInWords, findFamilies, withChosen } from './event_types.ts';

type ChoiceProps = { chosen: readonly string[]; onChange(chosen: string[]): void };

/** What an endpoint subscribes to: everything, or families and types. */
export function EventChoice({ value: chosen, onChange, ...input }: InputProps<string[]>) {
  const isAll = chosen.includes('*');
  // What was chosen comes back when somebody has looked at "all" only.
  const [before, setBefore] = useState<string[]>(isAll ? [] : [...chosen]);
  const choose = (next: string[]) => {
    setBefore(next);
    onChange(next);
  };
  return (
    <div>
      <Radio.Group
        label="Events"
        {...input}
        value={isAll ? 'all' : 'chosen'}
        onChange={(value) => onChange(value === 'all' ? ['*'] : before)}
      >
        <Stack gap={8} mt={6}>
          <Radio size="xs" value="all" label="All events, including those added in later versions" />
          <Radio size="xs" value="chosen" label="Selected events" />
        </Stack>
      </Radio.Group>
      {!isAll && <Chosen chosen={chosen} onChange={choose} />}
    </div>
  );
}

function Chosen({ chosen, onChange }: ChoiceProps) {
  const [search, setSearch] = useState('');
  const families = findFamilies(search);
  return (
    <div className={style.choice}>
      <TextInput
        size="xs"
        aria-label="Search events"
        placeholder="Search events"
        leftSection={<Icon name="search" size={14} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <div className={style.types}>
        {families.map((one) => (
          <Family key={one.family} {...one} chosen={chosen} onChange={onChange} />
        ))}
        {families.length === 0 && <p>No events match “{search}”.</p>}
      </div>
      <p className={style.summary} aria-live="polite">
        {chosen.length === 0 ? 'Select at least one event.' : eventsInWords(chosen, 4)}
      </p>
    </div>
  );
}

function Family({ family, types, chosen, onChange }: EventFamily & ChoiceProps) {
  const isWhole = chosen.includes(family);
  const set = (name: string) => (event: { currentTarget: { checked: boolean } }) =>
    onChange(withChosen(chosen, name, event.currentTarget.checked));
  return (
    <div className={style.family}>
      <Checkbox
        size="xs"
        label={<code>{family}</code>}
        checked={isWhole}
        indeterminate={!isWhole && types.some((type) => chosen.includes(type))}
        onChange={set(family)}
      />
      <div>
        {types.map((type) => (
          <Checkbox
            key={type}
            size="xs"
            label={<code>{type}</code>}
            disabled={isWhole}
            checked={isWhole || chosen.includes(type)}
            onChange={set(type)}
          />
        ))}
      </div>
    </div>
  );
}
