import { ActionIcon, Button, Group, Popover, Text, TextInput, UnstyledButton } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedView } from '@tollgate/node';
import { type FormEvent, useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Failure, wordsOfError } from './failure.tsx';
import { queryOf, type Search, searchOf } from './filters.ts';
import { Icon } from './icon.tsx';
import { useRead } from './read.ts';
import style from './views_menu.module.css';

/** There can be 100 in an account, of all pages together: they are on one page of the API. */
const viewsMax = 100;

/** Filters that somebody has given a name, on one page. They are the person's own, in every browser and in both modes. */
function useSavedViews(page: string) {
  const { api, account } = useWorkspace();
  const queries = useQueryClient();
  const { data, error } = useRead(['saved_views', page], (client, options) =>
    client.savedViews.list({ page, limit: viewsMax }, options),
  );
  const views = data?.data;
  const again = () =>
    queries.invalidateQueries({ queryKey: [account.id], predicate: ({ queryKey }) => queryKey[2] === 'saved_views' });
  const onError = (failure: unknown) =>
    notifications.show({ color: 'red', title: 'Could not change the view', message: wordsOfError(failure).message });
  const { mutate: save } = useMutation({
    mutationFn: ({ name, query }: Pick<SavedView, 'name' | 'query'>) => {
      const same = views?.find((view) => view.name === name);
      return same ? api.savedViews.update(same.id, { query }) : api.savedViews.create({ name, page, query });
    },
    onSuccess: again,
    onError,
  });
  const { mutate: remove } = useMutation({
    mutationFn: ({ id }: SavedView) => api.savedViews.delete(id),
    onSuccess: again,
    onError,
  });
  return { views, error, save, remove };
}

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
        <Text c="dimmed" size="sm" px={8} py={6}>
          {query === '' ? 'Set filters, then save them here.' : 'No views yet.'}
        </Text>
      )}
      {views?.map((view) => (
        <Group key={view.id} gap={4} wrap="nowrap">
          <UnstyledButton className={style.view} onClick={() => onChoose(view.query)}>
            {view.name}
            {view.query === query && <Icon name="check" size={12} />}
          </UnstyledButton>
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
          aria-label="View name"
          placeholder="View name"
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
