# SPDX-License-Identifier: Apache-2.0
"""The script of the Streamlit app, as its documentation shows one: it signs the user in, and shows the claims."""

import streamlit

if streamlit.user.is_logged_in:
    streamlit.json(streamlit.user.to_dict())
else:
    streamlit.login()
