export { AccountPage as Page } from './page.tsx';
