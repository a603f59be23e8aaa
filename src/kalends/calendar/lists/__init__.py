"""Lists: filters become a query, and its rows a page; prerendering of the records that lists show."""
