export { HomePage as Page } from './home.tsx';
