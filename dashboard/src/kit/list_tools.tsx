import { ActionIcon, Checkbox, Group, Popover, SegmentedControl, Stack } from '@mantine/core';
import { useWorkspace } from '../session/workspace.tsx';
import { type Density, densities, useDensity } from './density.ts';
import { type CsvExport, Export } from './export.tsx';
import { type Filter, namesOf, type Search } from './filters.ts';
import { Icon } from './icon.tsx';
import { wordsOf } from './tones.ts';
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

/** Saved views, the choice of columns and density, and the export. */
export function ListTools({ list, params, search, hidden, onHidden, onSearch }: ToolsProps) {
  const { has } = useWorkspace();
  return (
    <Group gap={4} wrap="nowrap" ml="auto">
      {list.filters.length > 0 && (
        <Views page={list.name} names={list.filters.flatMap(namesOf)} search={search} onSearch={onSearch} />
      )}
      <Display list={list} hidden={hidden} onHidden={onHidden} />
      {list.csv && has('read_money') && <Export name={list.name} csv={list.csv} params={params} />}
    </Group>
  );
}

/** Of all lists: how high rows are. Of this one: which columns there are. */
function Display({ list, hidden, onHidden }: Pick<ToolsProps, 'list' | 'hidden' | 'onHidden'>) {
  const [density, setDensity] = useDensity();
  const toggle = (id: string, isShown: boolean) =>
    onHidden(isShown ? hidden.filter((one) => one !== id) : [...hidden, id]);
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon variant="default" size={30} aria-label="Columns and density" title="Columns and density">
          <Icon name="columns" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns and density">
        <Stack gap={12}>
          <SegmentedControl
            size="xs"
            mb={4}
            aria-label="Density"
            value={density}
            onChange={(value) => setDensity(value as Density)}
            data={densities.map((value) => ({ value, label: wordsOf(value) }))}
          />
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
