import { Button, Modal, Stack, Text } from '@mantine/core';
import { PasswordForm } from './password_form.tsx';
import { forget } from './session.ts';
import { useWorkspace } from './workspace.tsx';

/**
 * Over the page of somebody whose session has ended: as the same person they go on where they were. The page behind cannot be read
 * meanwhile. Another person begins anew.
 */
export function SignInAgain() {
  const { session, account } = useWorkspace();
  return (
    <Modal.Root opened onClose={() => {}} centered closeOnEscape={false} closeOnClickOutside={false} zIndex={500}>
      <Modal.Overlay backgroundOpacity={0.7} blur={12} />
      <Modal.Content>
        <Modal.Body>
          <Stack gap="md" pt="md">
            <Modal.Title fz="lg" fw={600}>
              Your session has ended
            </Modal.Title>
            <Text>Sign in again to continue here. What you typed is kept.</Text>
            <PasswordForm as={session.user.email} account={account.id} />
            <Button variant="subtle" onClick={() => void forget()}>
              Sign in as somebody else, and discard what was typed
            </Button>
          </Stack>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
