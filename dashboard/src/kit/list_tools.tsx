import { ActionIcon, Button, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { wordsOfError } from './failure.tsx';
import { type Filter, namesOf, type Search } from './filters.ts';
import { Icon } from './icon.tsx';
import { Views } from './views_menu.tsx';

/** What every list says of itself, whatever its items are. */
export type ListBasics = {
  /** For the cache, saved views and chosen columns. */
  name: string;
  filters: readonly Filter[];
  /** Of all objects that the filters let through, where the operation offers it. */
  csv?(api: Tollgate, params: Record<string, unknown>): Promise<ReadableStream<Uint8Array>>;
};

type ToolsProps = {
  list: ListBasics & { columns: readonly { id: string; title: string }[] };
  params: Record<string, unknown>;
  search: Search;
  hidden: string[];
  onHidden(hidden: string[]): void;
  onSearch(changed: Search): void;
};

/** Saved views, the choice of columns, and the export. */
export function ListTools({ list, params, search, hidden, onHidden, onSearch }: ToolsProps) {
  const { has } = useWorkspace();
  return (
    <Group gap={4} wrap="nowrap" ml="auto">
      {list.filters.length > 0 && (
        <Views page={list.name} names={list.filters.flatMap(namesOf)} search={search} onSearch={onSearch} />
      )}
      <Columns list={list} hidden={hidden} onHidden={onHidden} />
      {list.csv && has('read_money') && <Export list={list} params={params} />}
    </Group>
  );
}

function Columns({ list, hidden, onHidden }: Pick<ToolsProps, 'list' | 'hidden' | 'onHidden'>) {
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

function Export({ list, params }: Pick<ToolsProps, 'list' | 'params'>) {
  const { api, mode } = useWorkspace();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      download(await new Response(await list.csv!(api, params)).blob(), fileName(list.name, mode, new Date()));
    } catch (error) {
      notifications.show({ color: 'red', title: 'Export failed', message: wordsOfError(error).message });
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

/** `payments-test-2026-11-16.csv`. */
function fileName(list: string, mode: string, at: Date): string {
  const day = [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${list}-${mode}-${day.join('-')}.csv`;
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
