import { Box, Button } from '@mantine/core';
import { Suspense, useState } from 'react';
import type { OperationName } from '../session/rights.ts';
import { useWorkspace } from '../session/workspace.tsx';
import type { OpenDialog } from './action_dialog.tsx';
import { Icon } from './icon.tsx';

type CreateProps = {
  /** A verb and a noun. On a narrow screen the verb is enough. */
  title: string;
  /** The operation of the API that makes it. */
  calls: OperationName;
  /** In a section of a page, where the page has a button of its own. */
  isSmall?: boolean;
  dialog: OpenDialog;
};

/** A button that opens the dialog which makes something, and may load it; not there for those who may not. */
export function CreateButton({ title, calls, isSmall = false, dialog }: CreateProps) {
  const [isOpen, setOpen] = useState(false);
  const { may } = useWorkspace();
  if (!may(calls)) return null;
  return (
    <>
      <Button
        size={isSmall ? 'compact-sm' : 'sm'}
        variant={isSmall ? 'default' : 'filled'}
        aria-label={title}
        leftSection={<Icon name="plus" size={isSmall ? 12 : 14} />}
        onClick={() => setOpen(true)}
      >
        {title.split(' ')[0]}
        <Box component="span" visibleFrom="sm">
          &nbsp;{title.split(' ').slice(1).join(' ')}
        </Box>
      </Button>
      {isOpen && <Suspense fallback={null}>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
}
