import './details.css';

export default function Details() {
  return <p className="tickets-details">The details</p>;
}
