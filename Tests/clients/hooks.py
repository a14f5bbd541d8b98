"""What schemathesis is told that the description cannot say."""

import schemathesis


@schemathesis.hook
def filter_query(context, query):
    """A revision that is far ahead is waited for, each time."""
    return not (isinstance(query, dict) and "min_revision" in query)
