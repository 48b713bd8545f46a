import { ActionIcon, Checkbox, Group, Popover, Stack } from '@mantine/core';
import { useWorkspace } from '../session/workspace.tsx';
import { type CsvExport, Export } from './export.tsx';
import { type Filter, namesOf, type Search } from './filters.ts';
import { Icon } from './icon.tsx';
import { Views } from './views_menu.tsx';

/** What every list says of itself, whatever its items are. */
export type ListBasics = {
  /** For the cache, saved views and chosen columns. */
  name: string;
  filters: readonly Filter[];
  /** Of all objects that the filters let through, where the operation offers it. */
  csv?: CsvExport;
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
      {list.csv && has('read_money') && <Export name={list.name} csv={list.csv} params={params} />}
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
