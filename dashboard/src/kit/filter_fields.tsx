import { Button, Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { amountBounds, amountText } from './amount_words.ts';
import { choiceWords, type Filter, namesOf, type Search } from './filters.ts';

type FieldsProps<Kind extends Filter['kind'] = Filter['kind']> = {
  filter: Filter & { kind: Kind };
  search: Search;
  onApply(changed: Search): void;
};

/** What a filter is set by. */
export function FilterFields(props: FieldsProps) {
  const { filter, search, onApply } = props;
  switch (filter.kind) {
    case 'choice':
      return <OneOf {...props} filter={filter} />;
    case 'choices':
      return <AnyOf {...props} filter={filter} />;
    case 'amount':
      return <Amounts {...props} filter={filter} />;
    case 'object':
      return (
        <filter.Select value={search[filter.name] ?? ''} onChange={(value) => onApply({ [filter.name]: value })} />
      );
    default:
      return <Texts {...props} filter={filter} />;
  }
}

function OneOf({ filter, search, onApply }: FieldsProps<'choice'>) {
  return (
    <Radio.Group
      label={filter.title}
      value={search[filter.name] ?? ''}
      onChange={(value) => onApply({ [filter.name]: value })}
    >
      <Stack gap={8} mt={8}>
        {filter.choices.map((choice) => (
          <Radio key={choice} value={choice} label={choiceWords(filter, choice)} size="xs" />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function AnyOf({ filter, search, onApply }: FieldsProps<'choices'>) {
  const [values, setValues] = useState(() => search[filter.name]?.split(',') ?? []);
  // In one order, so that equal filters have equal addresses.
  const text = filter.choices.filter((choice) => values.includes(choice)).join(',');
  return (
    <Fields onSubmit={() => onApply({ [filter.name]: text || undefined })}>
      <Checkbox.Group label={filter.title} value={values} onChange={setValues}>
        <Stack gap={12} my={8}>
          {filter.choices.map((choice) => (
            <Checkbox key={choice} value={choice} label={choiceWords(filter, choice)} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
    </Fields>
  );
}

function Amounts({ filter, search, onApply }: FieldsProps<'amount'>) {
  const bounds = amountBounds(search[filter.name] ?? '') ?? {};
  const [from, setFrom] = useState(bounds.gte ?? bounds.gt ?? '');
  const [to, setTo] = useState(bounds.lte ?? bounds.lt ?? '');
  const isAmount = (text: string) => text === '' || amountBounds(text) !== undefined;
  const fields = [
    ['Amount from', from, setFrom],
    ['Amount to', to, setTo],
  ] as const;
  return (
    <Fields
      isDisabled={!isAmount(from) || !isAmount(to)}
      onSubmit={() => onApply({ [filter.name]: amountText(from, to) || undefined })}
    >
      {fields.map(([label, text, set]) => (
        <TextInput
          key={label}
          size="xs"
          label={label}
          placeholder="129.00"
          inputMode="decimal"
          value={text}
          error={!isAmount(text) && 'Write an amount such as 129.00'}
          onChange={(event) => set(event.currentTarget.value.trim())}
        />
      ))}
    </Fields>
  );
}

function Texts({ filter, search, onApply }: FieldsProps<'text' | 'words' | 'days'>) {
  const [draft, setDraft] = useState<Search>(() =>
    Object.fromEntries(namesOf(filter).map((name) => [name, search[name]])),
  );
  const listId = useId();
  const suggestions = filter.kind === 'text' ? (filter.suggestions ?? []) : [];
  const set = (name: string, value: string) => setDraft((before) => ({ ...before, [name]: value || undefined }));
  return (
    <Fields onSubmit={() => onApply(trimmed(draft))}>
      {namesOf(filter).map((name) => (
        <TextInput
          key={name}
          size="xs"
          type={filter.kind === 'days' ? 'date' : 'text'}
          label={labelOf(filter, name)}
          placeholder={placeholderOf(filter)}
          list={suggestions.length > 0 ? listId : undefined}
          value={draft[name] ?? ''}
          onChange={(event) => set(name, event.currentTarget.value.trimStart())}
        />
      ))}
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </Fields>
  );
}

const trimmed = (draft: Search): Search =>
  Object.fromEntries(Object.entries(draft).map(([name, text]) => [name, text?.trim() || undefined]));

type FormProps = { children: ReactNode; isDisabled?: boolean; onSubmit(): void };

function Fields({ children, isDisabled = false, onSubmit }: FormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled) onSubmit();
      }}
    >
      <Stack gap="xs" w={220}>
        {children}
        <Button type="submit" size="xs" disabled={isDisabled}>
          Apply
        </Button>
      </Stack>
    </form>
  );
}

function placeholderOf(filter: Filter): string | undefined {
  if (filter.kind === 'words') return 'Name, email, amount, ID';
  return filter.kind === 'text' ? filter.placeholder : undefined;
}

function labelOf(filter: Filter, name: string): string {
  if (filter.kind !== 'days') return filter.title;
  return name.endsWith('_from') ? `${filter.title} from` : `${filter.title} to`;
}
