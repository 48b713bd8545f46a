import { ActionIcon, Button, Checkbox, Group, Menu, Popover, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { usePlace } from '../session/place.tsx';
import { wordsOfError } from './failure.tsx';
import { namesOf, type Search } from './filters.ts';
import { Icon } from './icon.tsx';
import type { ListDescriptor } from './list_page.tsx';
import { useSavedViews } from './saved_views.ts';

type ToolsProps<Item extends { id: string }> = {
  list: ListDescriptor<Item>;
  params: Record<string, unknown>;
  search: Search;
  hidden: string[];
  onHidden(hidden: string[]): void;
  onSearch(changed: Search): void;
};

/** Saved views, the choice of columns, and the export. */
export function ListTools<Item extends { id: string }>({
  list,
  params,
  search,
  hidden,
  onHidden,
  onSearch,
}: ToolsProps<Item>) {
  return (
    <Group gap={4} wrap="nowrap" ml="auto">
      <Views list={list} search={search} onSearch={onSearch} />
      <Columns list={list} hidden={hidden} onHidden={onHidden} />
      {list.csv && <Export list={list} params={params} />}
    </Group>
  );
}

function Columns<Item extends { id: string }>({
  list,
  hidden,
  onHidden,
}: Pick<ToolsProps<Item>, 'list' | 'hidden' | 'onHidden'>) {
  const toggle = (id: string, isShown: boolean) =>
    onHidden(isShown ? hidden.filter((one) => one !== id) : [...hidden, id]);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={30} aria-label="Choose columns" title="Choose columns">
          <Icon name="columns" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap={8}>
          {list.columns.map(({ id, title }, index) => (
            <Checkbox
              key={id}
              size="xs"
              label={title}
              disabled={index === 0}
              checked={!hidden.includes(id)}
              onChange={(event) => toggle(id, event.currentTarget.checked)}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Views<Item extends { id: string }>({
  list,
  search,
  onSearch,
}: Pick<ToolsProps<Item>, 'list' | 'search' | 'onSearch'>) {
  const { views, save, remove } = useSavedViews(list.name);
  const [name, setName] = useState('');
  const names = list.filters.flatMap(namesOf);
  const current = Object.fromEntries(names.map((one) => [one, search[one]]));
  const isFiltered = Object.values(current).some((value) => value !== undefined);
  return (
    <Menu position="bottom-end" shadow="md" width={240} closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" size="xs" h={30} leftSection={<Icon name="bookmark" size={14} />}>
          Views
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {views.length === 0 && <Menu.Label>Set filters, then save them here.</Menu.Label>}
        {views.map((view) => (
          <Group key={view.name} gap={4} wrap="nowrap">
            <Menu.Item
              onClick={() => onSearch({ ...Object.fromEntries(names.map((one) => [one, undefined])), ...view.search })}
            >
              {view.name}
            </Menu.Item>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Remove the view ${view.name}`}
              onClick={() => remove(view.name)}
            >
              <Icon name="close" size={12} />
            </ActionIcon>
          </Group>
        ))}
        {isFiltered && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              if (name.trim() !== '') save({ name: name.trim(), search: current });
              setName('');
            }}
          >
            <Group gap={4} p={6} wrap="nowrap">
              <TextInput
                size="xs"
                aria-label="Name of the view"
                placeholder="Name"
                value={name}
                onChange={(event) => setName(event.currentTarget.value)}
              />
              <Button size="xs" type="submit">
                Save
              </Button>
            </Group>
          </form>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function Export<Item extends { id: string }>({ list, params }: Pick<ToolsProps<Item>, 'list' | 'params'>) {
  const { api } = usePlace();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      download(await new Response(await list.csv!(api, params)).blob(), `${list.name}.csv`);
    } catch (error) {
      notifications.show({ color: 'red', title: 'Nothing was exported', message: wordsOfError(error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant="default"
      size="xs"
      h={30}
      loading={isBusy}
      onClick={() => void run()}
      leftSection={<Icon name="download" size={14} />}
    >
      Export
    </Button>
  );
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
