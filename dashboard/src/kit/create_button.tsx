import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { usePlace } from '../session/place.tsx';
import type { Right } from '../session/rights.ts';
import { Icon } from './icon.tsx';

type CreateProps = {
  title: string;
  right: Right;
  /** In a section of a page, where the page has a button of its own. */
  isSmall?: boolean;
  dialog(onClose: () => void): ReactNode;
};

/** A button that opens the dialog which makes something; not there for those who may not. */
export function CreateButton({ title, right, isSmall = false, dialog }: CreateProps) {
  const [isOpen, setOpen] = useState(false);
  const { may } = usePlace();
  if (!may(right)) return null;
  return (
    <>
      <Button
        size={isSmall ? 'compact-sm' : 'sm'}
        variant={isSmall ? 'default' : 'filled'}
        leftSection={<Icon name="plus" size={isSmall ? 12 : 14} />}
        onClick={() => setOpen(true)}
      >
        {title}
      </Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}
