import { ActionIcon, Button, Group, Menu, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { wordsOfError } from './failure.tsx';
import type { Search } from './filters.ts';
import { Icon } from './icon.tsx';
import style from './list_page.module.css';
import { queryOf, searchOf, useSavedViews } from './saved_views.ts';

type ViewsProps = { page: string; names: readonly string[]; search: Search; onSearch(changed: Search): void };

/** Filters with names, to come back to. */
export function Views({ page, names, search, onSearch }: ViewsProps) {
  const [isOpen, setOpen] = useState(false);
  const { views, error, save, remove } = useSavedViews(page, isOpen);
  const query = queryOf(names, search);
  return (
    <Menu position="bottom-end" shadow="md" width={260} closeOnItemClick={false} opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button variant="default" size="xs" h={30} leftSection={<Icon name="bookmark" size={14} />}>
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {error !== null && <Menu.Label>{wordsOfError(error).message}</Menu.Label>}
        {views?.length === 0 && (
          <Menu.Label>{query === '' ? 'Set filters, then save them here.' : 'No views yet.'}</Menu.Label>
        )}
        {views?.map((view) => (
          <Group key={view.id} gap={4} wrap="nowrap">
            <Menu.Item
              className={style.view}
              rightSection={view.query === query && <Icon name="check" size={12} />}
              onClick={() => {
                onSearch(searchOf(names, view.query));
                setOpen(false);
              }}
            >
              {view.name}
            </Menu.Item>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Remove the view ${view.name}`}
              onClick={() => remove(view)}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </Group>
        ))}
        {query !== '' && views !== undefined && <SaveForm onSave={(name) => save({ name, query })} />}
      </Menu.Dropdown>
    </Menu>
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
      <Group gap={4} p={6} wrap="nowrap">
        <TextInput
          size="xs"
          flex={1}
          aria-label="Name of the view"
          placeholder="Name of these filters"
          maxLength={100}
          value={name}
          // The menu would take letters for a search among its items.
          onKeyDown={(event) => event.stopPropagation()}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" type="submit">
          Save
        </Button>
      </Group>
    </form>
  );
}
