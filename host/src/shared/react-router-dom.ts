// The part of react-router-dom that host and remotes share at run time (see rxjs.ts).
export {
  BrowserRouter,
  Navigate,
  useLocation,
  useNavigate,
  useSearchParams,
} from 'router-real';
export { Link } from './link.tsx';
