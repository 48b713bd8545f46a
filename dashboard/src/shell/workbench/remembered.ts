const openKey = 'tollgate.workbench';

/** Whether the panel was open when somebody was here last. */
export function isRemembered(): boolean {
  return localStorage.getItem(openKey) === 'open';
}

export function remember(isOpen: boolean): void {
  if (isOpen) localStorage.setItem(openKey, 'open');
  else localStorage.removeItem(openKey);
}
