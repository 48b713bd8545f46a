import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Failure } from './failure.tsx';
import type { Search } from './filters.ts';
import { Icon } from './icon.tsx';
import { useSavedViews } from './saved_views.ts';
import { queryOf, searchOf } from './view_query.ts';
import style from './views_menu.module.css';

type ViewsProps = { page: string; names: readonly string[]; search: Search; onSearch(changed: Search): void };

/** Filters with names, to come back to. */
export function Views({ page, names, search, onSearch }: ViewsProps) {
  const [isOpen, setOpen] = useState(false);
  const choose = (query: string) => {
    onSearch(searchOf(names, query));
    setOpen(false);
  };
  return (
    <Popover position="bottom-end" shadow="md" width={280} opened={isOpen} onChange={setOpen} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          h={30}
          leftSection={<Icon name="bookmark" size={14} />}
          onClick={() => setOpen(!isOpen)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Saved views" p={6}>
        <List page={page} query={queryOf(names, search)} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}

function List({ page, query, onChoose }: { page: string; query: string; onChoose(query: string): void }) {
  const { views, error, save, remove } = useSavedViews(page);
  if (error !== null) return <Failure error={error} />;
  return (
    <>
      {views?.length === 0 && (
        <p className={style.none}>{query === '' ? 'Set filters, then save them here.' : 'No views yet.'}</p>
      )}
      {views?.map((view) => (
        <div key={view.id} className={style.view}>
          <button type="button" onClick={() => onChoose(view.query)}>
            {view.name}
            {view.query === query && <Icon name="check" size={12} />}
          </button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={`Remove the view ${view.name}`}
            onClick={() => remove(view)}
          >
            <Icon name="close" size={12} />
          </ActionIcon>
        </div>
      ))}
      {query !== '' && <SaveForm onSave={(name) => save({ name, query })} />}
    </>
  );
}

function SaveForm({ onSave }: { onSave(name: string): void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() === '') return;
    onSave(name.trim());
    setName('');
  };
  return (
    <form onSubmit={submit}>
      <Group gap={4} p={4} wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          aria-label="Name of the view"
          placeholder="Name of these filters"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Save
        </Button>
      </Group>
    </form>
  );
}
