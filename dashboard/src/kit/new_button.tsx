import { Button } from '@mantine/core';
import { type ReactNode, Suspense, useState } from 'react';
import { usePlace } from '../session/place.tsx';
import type { Right } from '../session/rights.ts';
import { Icon } from './icon.tsx';

type NewProps = { title: string; right?: Right; dialog(onClose: () => void): ReactNode };

/** At the head of a list: makes one more. The dialog can be loaded when it is wanted. */
export function NewButton({ title, right = 'change', dialog }: NewProps) {
  const [isOpen, setOpen] = useState(false);
  const { may } = usePlace();
  if (!may(right)) return null;
  return (
    <>
      <Button size="xs" leftSection={<Icon name="plus" size={12} />} onClick={() => setOpen(true)}>
        {title}
      </Button>
      {isOpen && <Suspense fallback={null}>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
}
