"""Inside of a call: following its statements, and trying the reference's statements in their place."""
