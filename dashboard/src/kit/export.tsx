import { Button, Checkbox, Group, SimpleGrid, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import type { Tollgate } from '@tollgate/node';
import { useState } from 'react';
import { exportColumns } from '../generated/exports.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './action_dialog.module.css';
import { counted } from './counted.ts';
import { dayOf } from './days.ts';
import { Dialog } from './dialog.tsx';
import { columnTitle } from './export_words.ts';
import { wordsOfError } from './failure.tsx';
import { Icon } from './icon.tsx';

/** All objects that the filters of a list select, as a file. */
export type CsvExport = {
  /** The operation that lists them. */
  operation: keyof typeof exportColumns;
  read(api: Tollgate, params: Record<string, unknown>): Promise<ReadableStream<Uint8Array>>;
};

type ExportProps = { name: string; csv: CsvExport; params: Record<string, unknown> };

export function Export(props: ExportProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        h={30}
        onClick={() => setOpen(true)}
        leftSection={<Icon name="download" size={14} />}
      >
        Export
      </Button>
      {isOpen && <ExportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** The columns to choose from. What was chosen last is kept in the browser. */
function ExportDialog({ name, csv, params, onClose }: ExportProps & { onClose(): void }) {
  const { api, mode, session } = useWorkspace();
  const [isBusy, setBusy] = useState(false);
  const all: readonly string[] = exportColumns[csv.operation];
  const usual = all.filter((column) => column !== 'metadata');
  const [kept, setKept] = useLocalStorage<readonly string[]>({
    key: `tollgate.export.${session.user.id}.${name}`,
    defaultValue: usual,
    getInitialValueInEffect: false,
  });
  const columns = all.filter((column) => kept.includes(column));
  const run = async () => {
    setBusy(true);
    try {
      const file = await new Response(await csv.read(api, { ...params, columns })).blob();
      download(file, `${name}-${mode}-${dayOf(Date.now() / 1_000)}.csv`);
      onClose();
    } catch (error) {
      notifications.show({ color: 'red', title: 'Export failed', message: wordsOfError(error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title="Export as CSV" isWide onClose={onClose}>
      <Text c="dimmed" size="sm">
        Everything that the filters of this page select, with these columns:
      </Text>
      <Checkbox.Group aria-label="Columns" value={[...columns]} onChange={(chosen) => setKept(chosen)}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} my="md">
          {all.map((column) => (
            <Checkbox key={column} size="xs" value={column} label={columnTitle(column)} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <Group gap="xs" className={style.foot}>
        <Button variant="default" size="xs" onClick={() => setKept(usual)}>
          Usual columns
        </Button>
        <Button variant="default" size="xs" onClick={() => setKept(all)}>
          All columns
        </Button>
        <Button ml="auto" loading={isBusy} disabled={columns.length === 0} onClick={() => void run()}>
          Export {counted(columns.length, 'column')}
        </Button>
      </Group>
    </Dialog>
  );
}

export function download(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
